# wrong: takes three rates, as in the example, and no other number; exercise: recompile_hunt_calls; must fail: outputs; says: unpack
@jax.jit
def start(counts):
    return jnp.zeros(counts.shape[1], counts.dtype)


@jax.jit
def step(means, counts, rate):
    return means + rate * (jnp.log1p(jnp.mean(counts, axis=0)) - means)


@jax.jit
def centre(means):
    return means - jnp.mean(means)


def anneal(counts, rates):
    first, second, third = (np.float32(rate) for rate in rates)
    means = start(counts)
    means = step(means, counts, first)
    means = step(means, counts, second)
    means = step(means, counts, third)
    return centre(means)
