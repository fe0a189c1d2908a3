# wrong: the branches of cond in the wrong order; exercise: traced_branch; must fail: outputs; says: expected
@jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    return lax.cond(variance > mean, lambda: 0.0, lambda: jnp.log(1 + (variance - mean) / mean**2))
