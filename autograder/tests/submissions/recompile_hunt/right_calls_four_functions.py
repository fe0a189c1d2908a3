# right: the target is a jitted function of its own; exercise: recompile_hunt_calls
@jax.jit
def start(counts):
    return jnp.zeros(counts.shape[1])


@jax.jit
def log_of_means(counts):
    return jnp.log1p(jnp.mean(counts, axis=0))


@jax.jit
def step(means, target, rate):
    return means + rate * (target - means)


@jax.jit
def centre(means):
    return means - jnp.mean(means)


def anneal(counts, rates):
    means, target = start(counts), log_of_means(counts)
    for rate in rates:
        means = step(means, target, float(rate))
    return centre(means)
