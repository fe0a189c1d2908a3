# wrong: a new lambda at each call; exercise: recompile_hunt_calls; must fail: compilations; says: Define it once
@jax.jit
def start(counts):
    return jnp.zeros(counts.shape[1], counts.dtype)


@jax.jit
def step(means, counts, rate):
    return means + rate * (jnp.log1p(jnp.mean(counts, axis=0)) - means)


def anneal(counts, rates):
    means = start(counts)
    for rate in rates:
        means = step(means, counts, np.float32(rate))
    return jax.jit(lambda means: means - jnp.mean(means))(means)
