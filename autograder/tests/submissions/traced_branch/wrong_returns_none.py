# wrong: one branch returns nothing; exercise: traced_branch; must fail: outputs; says: must return the same
@jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()

    def spread():
        return jnp.log(1 + (variance - mean) / mean**2)

    def even():
        jnp.zeros_like(mean)

    return lax.cond(variance > mean, spread, even)
