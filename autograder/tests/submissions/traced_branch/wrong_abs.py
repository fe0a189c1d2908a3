# wrong: the sign is gone instead of the branch; exercise: traced_branch; must fail: outputs; says: expected 0
@jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    return jnp.log(1 + jnp.abs(variance - mean) / jnp.maximum(mean, 1e-6) ** 2)
