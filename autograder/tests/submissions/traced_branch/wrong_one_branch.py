# wrong: the if is gone with one of its branches; exercise: traced_branch; must fail: outputs; says: expected
@jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    return jnp.log(1 + (variance - mean) / mean**2)
