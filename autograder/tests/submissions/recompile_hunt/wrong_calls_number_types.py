# wrong: one program for each mixture of integers and floats; exercise: recompile_hunt_calls; must fail: compilations; says: only its plain Python numbers differ
@jax.jit
def anneal(counts, rates):
    means = jnp.zeros(counts.shape[1])
    for rate in rates:
        means = means + rate * (jnp.log1p(jnp.mean(counts, axis=0)) - means)
    return means - jnp.mean(means)
