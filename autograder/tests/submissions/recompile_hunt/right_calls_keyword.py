# right: by keyword everywhere, strong rates; exercise: recompile_hunt_calls
@jax.jit
def start(counts):
    return jnp.full(counts.shape[1], 0.0, jnp.float32)


@jax.jit
def step(means, counts, rate):
    return means + rate * (jnp.log1p(jnp.mean(counts, axis=0)) - means)


@jax.jit
def centre(means):
    return means - jnp.mean(means)


def anneal(counts, rates):
    means = start(counts)
    for rate in rates:
        means = step(means, counts, rate=jnp.asarray(rate, jnp.float32))
    return centre(means)
