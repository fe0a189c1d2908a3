# wrong: the log-likelihood before the step; exercise: ahead_of_time; must fail: outputs; says: result[1]
@partial(jax.jit, static_argnames="steps")
def poisson_fit(Y, O, steps):
    def newton(means, _):
        expected = jnp.exp(O + means)
        gradient = jnp.sum(Y - expected, axis=0) - means
        before = means
        means = means + gradient / (jnp.sum(expected, axis=0) + 1)
        likelihood = jnp.sum(Y * (O + before) - expected) - jnp.sum(before**2) / 2
        return means, likelihood

    start = jnp.log((jnp.sum(Y, axis=0) + 1) / jnp.sum(jnp.exp(O), axis=0)) + 1
    return jax.lax.scan(newton, start, length=steps)
