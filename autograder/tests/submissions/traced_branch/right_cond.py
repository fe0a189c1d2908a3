# right: lax.cond with operands; exercise: traced_branch
@jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    return lax.cond(
        variance > mean,
        lambda m, v: jnp.log1p((v - m) / m**2),
        lambda m, v: 0.0,
        mean,
        variance,
    )
