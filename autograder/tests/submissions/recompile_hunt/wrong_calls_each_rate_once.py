# wrong: converts the rates in a dictionary, which drops those that come twice; exercise: recompile_hunt_calls; must fail: outputs; says: values differ
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
    converted = {rate: np.float32(rate) for rate in rates}
    means = start(counts)
    for rate in converted.values():
        means = step(means, counts, rate)
    return centre(means)
