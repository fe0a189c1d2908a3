# wrong: keeps the branch taken in a list; exercise: traced_branch; must fail: purity; says: taken
taken = []


@jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    taken.append(variance > mean)
    return jnp.where(taken[-1], jnp.log(1 + (variance - mean) / mean**2), 0.0)
