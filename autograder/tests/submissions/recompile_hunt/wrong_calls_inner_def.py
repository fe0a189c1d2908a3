# wrong: step defined inside the function; exercise: recompile_hunt_calls; must fail: compilations; says: Define it once
def anneal(counts, rates):
    @jax.jit
    def annealed(counts, rates):
        means = jnp.zeros(counts.shape[1], counts.dtype)
        for rate in rates:
            means = means + rate * (jnp.log1p(jnp.mean(counts, axis=0)) - means)
        return means - jnp.mean(means)

    return annealed(counts, tuple(map(float, rates)))
