# wrong: starts with NumPy, and the step is compiled for integers and floats; exercise: recompile_hunt_calls; must fail: compilations; says: more than once
@jax.jit
def step(means, counts, rate):
    return means + rate * (jnp.log1p(jnp.mean(counts, axis=0)) - means)


@jax.jit
def centre(means):
    return means - jnp.mean(means)


def anneal(counts, rates):
    means = np.zeros(counts.shape[1], np.float32)
    for rate in rates:
        means = step(means, counts, rate)
    return centre(means)
