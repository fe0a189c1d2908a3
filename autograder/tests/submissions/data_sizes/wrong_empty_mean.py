# wrong: the mean of nothing is NaN; exercise: data_sizes; must fail: outputs; says: 0 / 0 is NaN
@jax.jit
def summarize(counts, chosen):
    rows = chosen[:, None]
    smallest = jnp.min(counts, axis=0, where=rows, initial=jnp.inf)
    return counts.mean(axis=0, where=rows), jnp.where(chosen.any(), smallest, 0)
