# right: the logarithm of a fraction as the difference of two; exercise: traced_branch
@jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    ratio = jnp.log(mean**2 + jnp.maximum(variance - mean, 0)) - 2 * jnp.log(mean)
    return jnp.where(variance > mean, ratio, 0.0)
