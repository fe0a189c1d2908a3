# wrong: one branch gives an integer; exercise: traced_branch; must fail: outputs; says: same dtype
@jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    return lax.cond(variance > mean, lambda: jnp.log(1 + (variance - mean) / mean**2), lambda: 0)
