# wrong: a number for each leaf; exercise: data_sizes; must fail: outputs; says: a number for each taxon
@jax.jit
def summarize(counts, chosen):
    n = jnp.maximum(chosen.sum(), 1)
    return jnp.where(chosen[:, None], counts, 0).sum(axis=1) / n, counts.min(axis=1)
