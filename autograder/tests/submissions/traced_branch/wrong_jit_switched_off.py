# wrong: jit switched off around the call; exercise: traced_branch; must fail: compilations; says: jit is switched off
@jax.jit
def _v(counts):
    mean, variance = counts.mean(), counts.var()
    return jnp.where(variance > mean, jnp.log(1 + (variance - mean) / mean**2), 0.0)


def latent_variance(counts):
    with jax.disable_jit():
        return _v(counts)
