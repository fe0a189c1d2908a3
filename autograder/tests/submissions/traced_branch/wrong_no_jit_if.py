# wrong: the decorator is gone and the if is still there; exercise: traced_branch; must fail: outputs; says: `jnp.where` or `lax.cond`
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    if variance > mean:
        return jnp.log(1 + (variance - mean) / mean**2)
    return 0.0
