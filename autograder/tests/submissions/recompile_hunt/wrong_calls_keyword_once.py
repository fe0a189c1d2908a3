# wrong: the first rate by keyword; exercise: recompile_hunt_calls; must fail: compilations; says: by position, by keyword
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
    means = start(counts)
    means = step(means, counts, rate=np.float32(rates[0]))
    for rate in rates[1:]:
        means = step(means, counts, np.float32(rate))
    return centre(means)
