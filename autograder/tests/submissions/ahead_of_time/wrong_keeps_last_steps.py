# wrong: the last number of steps is kept in a global; exercise: ahead_of_time; must fail: purity; says: changes from
last = 0


@partial(jax.jit, static_argnames="steps")
def poisson_fit(Y, O, steps):
    global last
    last = steps

    def newton(means, _):
        expected = jnp.exp(O + means)
        gradient = jnp.sum(Y - expected, axis=0) - means
        means = means + gradient / (jnp.sum(expected, axis=0) + 1)
        return means, jnp.sum(Y * (O + means) - jnp.exp(O + means)) - jnp.sum(means**2) / 2

    start = jnp.log((jnp.sum(Y, axis=0) + 1) / jnp.sum(jnp.exp(O), axis=0)) + 1
    return jax.lax.scan(newton, start, length=steps)
