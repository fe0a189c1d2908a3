# wrong: a weakly typed start; exercise: recompile_hunt_calls; must fail: compilations; says: build arrays with a dtype
@jax.jit
def start(counts):
    return jnp.full(counts.shape[1], 0.0)


@jax.jit
def step(means, counts, rate):
    return means + rate * (jnp.log1p(jnp.mean(counts, axis=0)) - means)


@jax.jit
def centre(means):
    return means - jnp.mean(means)


def anneal(counts, rates):
    means = start(counts)
    for rate in rates:
        means = step(means, counts, np.float32(rate))
    return centre(means)
