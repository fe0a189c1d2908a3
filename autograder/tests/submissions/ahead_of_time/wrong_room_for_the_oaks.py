# wrong: room for the taxa of the oaks; exercise: ahead_of_time; must fail: outputs; says: different sizes
from functools import partial


@partial(jax.jit, static_argnames="steps")
def poisson_fit(Y, O, steps):
    p = Y.shape[1]
    counts = jnp.zeros((len(Y), 114)).at[:, :p].set(Y)
    offsets = jnp.zeros((len(Y), 114)).at[:, :p].set(O)

    def step(means, _):
        expected = jnp.exp(offsets + means)
        gradient = jnp.sum(counts - expected, axis=0) - means
        means = means + gradient / (jnp.sum(expected, axis=0) + 1)
        at = O + means[:p]
        likelihood = jnp.sum(Y * at - jnp.exp(at)) - jnp.sum(means[:p] ** 2) / 2
        return means, likelihood

    start = jnp.log((jnp.sum(counts, axis=0) + 1) / jnp.sum(jnp.exp(offsets), axis=0)) + 1
    means, likelihoods = jax.lax.scan(step, start, length=steps)
    return means[:p], likelihoods
