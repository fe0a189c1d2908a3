# wrong: jit is gone; exercise: ahead_of_time; must fail: compilations; says: Put the whole function under one jax.jit
def poisson_fit(Y, O, steps):
    def newton(means, _):
        expected = jnp.exp(O + means)
        gradient = jnp.sum(Y - expected, axis=0) - means
        means = means + gradient / (jnp.sum(expected, axis=0) + 1)
        likelihood = jnp.sum(Y * (O + means) - jnp.exp(O + means)) - jnp.sum(means**2) / 2
        return means, likelihood

    start = jnp.log((jnp.sum(Y, axis=0) + 1) / jnp.sum(jnp.exp(O), axis=0)) + 1
    return jax.lax.scan(newton, start, length=steps)
