# right: one program for all of it; exercise: recompile_hunt_calls
@jax.jit
def annealed(counts, rates):
    target = jnp.log1p(jnp.mean(counts, axis=0))

    def step(means, rate):
        return means + rate * (target - means), None

    means, _ = jax.lax.scan(step, jnp.zeros_like(target), rates)
    return means - jnp.mean(means)


def anneal(counts, rates):
    return annealed(counts, np.array(rates, np.float32))
