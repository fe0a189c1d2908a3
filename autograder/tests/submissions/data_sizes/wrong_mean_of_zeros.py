# wrong: zeros count in the mean; exercise: data_sizes; must fail: outputs; says: divided by all
@jax.jit
def summarize(counts, chosen):
    selected = jnp.where(chosen[:, None], counts, 0)
    smallest = jnp.min(counts, axis=0, where=chosen[:, None], initial=jnp.inf)
    return selected.mean(axis=0), jnp.where(chosen.any(), smallest, 0)
