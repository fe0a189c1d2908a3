# wrong: the minimum starts from 0; exercise: data_sizes; must fail: outputs; says: a value that is never
@jax.jit
def summarize(counts, chosen):
    rows = chosen[:, None]
    mean = jnp.sum(counts, axis=0, where=rows) / jnp.maximum(chosen.sum(), 1)
    return mean, jnp.min(counts, axis=0, where=rows, initial=0)
