# wrong: asks for a bool by name; exercise: traced_branch; must fail: outputs; says: `jnp.where` or `lax.cond`
@jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    return lax.cond(
        bool(variance > mean), lambda: jnp.log(1 + (variance - mean) / mean**2), lambda: 0.0
    )
