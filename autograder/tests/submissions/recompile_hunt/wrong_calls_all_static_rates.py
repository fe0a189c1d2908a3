# wrong: one program, with static rates; exercise: recompile_hunt_calls; must fail: compilations; says: static value
from functools import partial


@partial(jax.jit, static_argnames="rates")
def anneal(counts, rates):
    means = jnp.zeros(counts.shape[1], counts.dtype)
    for rate in rates:
        means = means + rate * (jnp.log1p(jnp.mean(counts, axis=0)) - means)
    return means - jnp.mean(means)
