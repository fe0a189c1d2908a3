# wrong: the decorator is gone; exercise: traced_branch; must fail: compilations; says: one jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    return jnp.where(variance > mean, jnp.log(1 + (variance - mean) / mean**2), 0.0)
