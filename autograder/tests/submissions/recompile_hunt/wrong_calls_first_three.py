# wrong: the rates after the third are left out; exercise: recompile_hunt_calls; must fail: outputs; says: values differ
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
    for rate in rates[:3]:
        means = step(means, counts, np.float32(rate))
    return centre(means)
