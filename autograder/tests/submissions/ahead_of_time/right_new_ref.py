# right: the history in a ref; exercise: ahead_of_time
@partial(jax.jit, static_argnums=(2,))
def poisson_fit(Y, O, steps):
    history = jax.new_ref(jnp.zeros(steps, Y.dtype))

    def newton(i, means):
        expected = jnp.exp(O + means)
        means = means + (jnp.sum(Y - expected, axis=0) - means) / (jnp.sum(expected, axis=0) + 1)
        history[i] = jnp.sum(Y * (O + means) - jnp.exp(O + means)) - jnp.sum(means**2) / 2
        return means

    start = jnp.log((jnp.sum(Y, axis=0) + 1) / jnp.sum(jnp.exp(O), axis=0)) + 1
    means = jax.lax.fori_loop(0, steps, newton, start)
    return means, history[...]
