# right: lax.select of equal dtypes; exercise: traced_branch
@jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    value = jnp.log(1 + (variance - mean) / mean**2)
    return lax.select(variance > mean, value, jnp.zeros_like(value))
