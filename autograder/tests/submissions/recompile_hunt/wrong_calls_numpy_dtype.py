# wrong: NumPy makes integers of integer rates; exercise: recompile_hunt_calls; must fail: compilations; says: is now int32
@jax.jit
def _anneal(counts, rates):
    target = jnp.log1p(counts.mean(axis=0))
    means = jnp.zeros(counts.shape[1], jnp.float32)
    means, _ = jax.lax.scan(lambda m, r: (m + r * (target - m), None), means, rates)
    return means - means.mean()


def anneal(counts, rates):
    return _anneal(counts, np.asarray(rates))
