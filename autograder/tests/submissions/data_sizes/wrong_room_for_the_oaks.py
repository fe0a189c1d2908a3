# wrong: room for the leaves of the oaks; exercise: data_sizes; must fail: outputs; says: different sizes
@jax.jit
def summarize(counts, chosen):
    n, p = counts.shape
    rows = jnp.zeros((116, 1), bool).at[:n, 0].set(chosen)
    room = jnp.zeros((116, p)).at[:n].set(counts)
    mean = jnp.where(rows, room, 0).sum(axis=0) / jnp.maximum(rows.sum(), 1)
    smallest = jnp.where(rows, room, jnp.inf).min(axis=0)
    return mean, jnp.where(rows.any(), smallest, 0)
