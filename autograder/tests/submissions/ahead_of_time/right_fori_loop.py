# right: a fori_loop that fills an array; exercise: ahead_of_time
@partial(jax.jit, static_argnames="steps")
def poisson_fit(Y, O, steps):
    def step(i, state):
        means, likelihoods = state
        expected = jnp.exp(O + means)
        curvature = expected.sum(0) + 1
        means = means + ((Y - expected).sum(0) - means) / curvature
        mean_field = O + means
        likelihood = (Y * mean_field - jnp.exp(mean_field)).sum() - (means @ means) / 2
        return means, likelihoods.at[i].set(likelihood)

    start = 1 + jnp.log1p(Y.sum(0)) - jnp.log(jnp.exp(O).sum(0))
    return jax.lax.fori_loop(0, steps, step, (start, jnp.zeros(steps, Y.dtype)))
