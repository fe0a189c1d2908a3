# wrong: room for the forty steps of the notebook; exercise: ahead_of_time; must fail: outputs; says: poisson_fit
from functools import partial


@partial(jax.jit, static_argnames="steps")
def poisson_fit(Y, O, steps):
    def step(means, _):
        expected = jnp.exp(O + means)
        gradient = jnp.sum(Y - expected, axis=0) - means
        means = means + gradient / (jnp.sum(expected, axis=0) + 1)
        likelihood = jnp.sum(Y * (O + means) - jnp.exp(O + means)) - jnp.sum(means**2) / 2
        return means, (means, likelihood)

    start = jnp.log((jnp.sum(Y, axis=0) + 1) / jnp.sum(jnp.exp(O), axis=0)) + 1
    _, (means, likelihoods) = jax.lax.scan(step, start, length=40)
    return means[steps - 1], likelihoods[:steps]
