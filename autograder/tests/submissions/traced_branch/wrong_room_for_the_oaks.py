# wrong: room for the leaves of the oaks; exercise: traced_branch; must fail: outputs; says: different sizes
@jax.jit
def latent_variance(counts):
    n = counts.size
    room = jnp.zeros(116).at[:n].set(counts)
    mean = room.sum() / n
    variance = (room**2).sum() / n - mean**2
    value = jnp.log1p((variance - mean) / jnp.maximum(mean, 1e-9) ** 2)
    return jnp.where(variance > mean, value, 0.0)
