# wrong: keeps the number of leaves in a global; exercise: data_sizes; must fail: purity; says: last
last = None


@jax.jit
def summarize(counts, chosen):
    global last
    rows, last = chosen[:, None], chosen.sum()
    mean = jnp.where(rows, counts, 0).sum(axis=0) / jnp.maximum(chosen.sum(), 1)
    smallest = jnp.min(counts, axis=0, where=rows, initial=jnp.inf)
    return mean, jnp.where(chosen.any(), smallest, 0)
