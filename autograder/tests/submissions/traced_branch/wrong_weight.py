# wrong: the test as a weight, and 0 * nan is nan; exercise: traced_branch; must fail: outputs; says: nan
@jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    weight = jnp.where(variance > mean, 1.0, 0.0)
    return weight * jnp.log(1 + (variance - mean) / mean**2)
