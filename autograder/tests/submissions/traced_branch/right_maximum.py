# right: no branch at all; exercise: traced_branch
@jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    excess = jnp.maximum(variance - mean, 0)
    return jnp.log1p(excess / jnp.where(mean > 0, mean, 1) ** 2)
