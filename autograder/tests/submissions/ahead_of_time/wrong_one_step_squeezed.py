# wrong: one step has a likelihood without an axis; exercise: ahead_of_time; must fail: outputs; says: shape
@partial(jax.jit, static_argnames="steps")
def poisson_fit(Y, O, steps):
    def newton(i, state):
        means, likelihoods = state
        expected = jnp.exp(O + means)
        gradient = jnp.sum(Y - expected, axis=0) - means
        means = means + gradient / (jnp.sum(expected, axis=0) + 1)
        likelihood = jnp.sum(Y * (O + means) - jnp.exp(O + means)) - jnp.sum(means**2) / 2
        return means, likelihoods.at[i].set(likelihood)

    start = jnp.log((jnp.sum(Y, axis=0) + 1) / jnp.sum(jnp.exp(O), axis=0)) + 1
    means, likelihoods = jax.lax.fori_loop(0, steps, newton, (start, jnp.zeros((steps, 1))))
    return means, jnp.squeeze(likelihoods)
