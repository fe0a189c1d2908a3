# wrong: a list inside the scan; exercise: ahead_of_time; must fail: outputs; says: second thing that its body returns
@partial(jax.jit, static_argnames="steps")
def poisson_fit(Y, O, steps):
    likelihoods = []

    def newton(means, _):
        expected = jnp.exp(O + means)
        gradient = jnp.sum(Y - expected, axis=0) - means
        means = means + gradient / (jnp.sum(expected, axis=0) + 1)
        likelihood = jnp.sum(Y * (O + means) - jnp.exp(O + means)) - jnp.sum(means**2) / 2
        likelihoods.append(likelihood)
        return means, None

    start = jnp.log((jnp.sum(Y, axis=0) + 1) / jnp.sum(jnp.exp(O), axis=0)) + 1
    means, _ = jax.lax.scan(newton, start, length=steps)
    return means, jnp.stack(likelihoods)
