# right: keeps the program of its lambda in a dictionary; exercise: recompile_hunt_calls
programs = {}


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
    if "centre" not in programs:
        programs["centre"] = jax.jit(lambda means: means - jnp.mean(means))
    return programs["centre"](means)
