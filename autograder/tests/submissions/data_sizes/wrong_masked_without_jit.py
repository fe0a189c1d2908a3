# wrong: right, but not jitted; exercise: data_sizes; must fail: compilations; says: one jax.jit
def summarize(counts, chosen):
    rows, n = chosen[:, None], chosen.sum()
    mean = jnp.where(rows, counts, 0).sum(axis=0) / jnp.maximum(n, 1)
    smallest = jnp.min(counts, axis=0, where=rows, initial=jnp.inf)
    return mean, jnp.where(n > 0, smallest, 0)
