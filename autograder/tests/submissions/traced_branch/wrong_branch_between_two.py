# wrong: a Python branch between two jitted functions; exercise: traced_branch; must fail: compilations; says: outside of any jitted function
@jax.jit
def moments(counts):
    return counts.mean(), counts.var()


@jax.jit
def positive_part(mean, variance):
    return jnp.log(1 + (variance - mean) / mean**2)


def latent_variance(counts):
    mean, variance = moments(counts)
    if variance > mean:
        return positive_part(mean, variance)
    return jnp.zeros_like(mean)
