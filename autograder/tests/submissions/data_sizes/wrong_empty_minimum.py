# wrong: the minimum of nothing is infinite; exercise: data_sizes; must fail: outputs; says: The minimum of nothing
@jax.jit
def summarize(counts, chosen):
    rows = chosen[:, None]
    mean = jnp.where(rows, counts, 0).sum(axis=0) / jnp.maximum(chosen.sum(), 1)
    return mean, jnp.min(counts, axis=0, where=rows, initial=jnp.inf)
