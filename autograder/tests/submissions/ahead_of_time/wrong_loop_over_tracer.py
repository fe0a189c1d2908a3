# wrong: a Python loop over the traced number of steps; exercise: ahead_of_time; must fail: outputs; says: A plain Python number is needed here
@jax.jit
def poisson_fit(Y, O, steps):
    means = jnp.log((jnp.sum(Y, axis=0) + 1) / jnp.sum(jnp.exp(O), axis=0)) + 1
    likelihoods = []
    for _ in range(steps):
        expected = jnp.exp(O + means)
        gradient = jnp.sum(Y - expected, axis=0) - means
        means = means + gradient / (jnp.sum(expected, axis=0) + 1)
        likelihoods.append(jnp.sum(Y * (O + means) - jnp.exp(O + means)) - jnp.sum(means**2) / 2)
    return means, jnp.stack(likelihoods)
