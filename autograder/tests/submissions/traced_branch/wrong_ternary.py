# wrong: another spelling of if; exercise: traced_branch; must fail: outputs; says: `jnp.where` or `lax.cond`
@jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    return jnp.log(1 + (variance - mean) / mean**2) if variance > mean else 0.0
