# wrong: one branch does not take the arguments; exercise: traced_branch; must fail: outputs; says: calls `f(*args)`
@jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    return lax.cond(
        variance > mean, lambda m, v: jnp.log(1 + (v - m) / m**2), lambda: 0.0, mean, variance
    )
