# wrong: 0 * inf is nan, where no leaf is chosen; exercise: data_sizes; must fail: outputs; says: smallest count is nan
@jax.jit
def summarize(counts, chosen):
    rows = chosen[:, None]
    mean = jnp.where(rows, counts, 0).sum(axis=0) / jnp.maximum(chosen.sum(), 1)
    return mean, jnp.where(chosen.any(), 1.0, 0.0) * jnp.where(rows, counts, jnp.inf).min(axis=0)
