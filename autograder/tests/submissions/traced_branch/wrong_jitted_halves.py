# wrong: jits the pieces, not the function; exercise: traced_branch; must fail: compilations; says: outside jit
@jax.jit
def moments(counts):
    return counts.mean(), counts.var()


def latent_variance(counts):
    mean, variance = moments(counts)
    return jnp.where(variance > mean, jnp.log(1 + (variance - mean) / mean**2), 0.0)
