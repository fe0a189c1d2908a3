# wrong: zeros count in the minimum; exercise: data_sizes; must fail: outputs; says: a value that is never
@jax.jit
def summarize(counts, chosen):
    selected = jnp.where(chosen[:, None], counts, 0)
    return selected.sum(axis=0) / jnp.maximum(chosen.sum(), 1), selected.min(axis=0)
