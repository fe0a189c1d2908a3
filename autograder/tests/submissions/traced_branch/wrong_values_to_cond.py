# wrong: gives cond values in place of functions; exercise: traced_branch; must fail: outputs; says: put `lambda:` before
@jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    return lax.cond(variance > mean, jnp.log(1 + (variance - mean) / mean**2), 0.0)
