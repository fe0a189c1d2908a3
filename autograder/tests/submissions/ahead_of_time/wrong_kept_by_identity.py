# wrong: results kept by the identity of the counts; exercise: ahead_of_time; must fail: purity; says: known
from functools import partial

known = {}


@partial(jax.jit, static_argnames="steps")
def compute(Y, O, steps):
    def step(means, _):
        expected = jnp.exp(O + means)
        gradient = jnp.sum(Y - expected, axis=0) - means
        means = means + gradient / (jnp.sum(expected, axis=0) + 1)
        likelihood = jnp.sum(Y * (O + means) - jnp.exp(O + means)) - jnp.sum(means**2) / 2
        return means, likelihood

    start = jnp.log((jnp.sum(Y, axis=0) + 1) / jnp.sum(jnp.exp(O), axis=0)) + 1
    return jax.lax.scan(step, start, length=steps)


def poisson_fit(Y, O, steps):
    key = id(Y), steps
    if key not in known:
        known[key] = Y, compute(Y, O, steps)
    return known[key][1]
