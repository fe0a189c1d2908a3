# wrong: guards the division by a mean of at least 1, which a rare species does not have; exercise: traced_branch; must fail: outputs; says: expected
@jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    excess = jnp.maximum(variance - mean, 0)
    return jnp.log1p(excess / jnp.maximum(mean, 1) ** 2)
