# wrong: never more than ten steps, as in the figure, whatever the limit; exercise: early_stop; must fail: outputs; says: still changes
@jax.jit
def latent_mode(counts, offsets, limit):
    def step(_, state):
        z, change, iterations = state
        go_on = (change > 1e-5) & (iterations < limit)
        new = newton(z, counts, offsets)
        now = jnp.max(jnp.abs(new - z) / (1 + jnp.abs(new)))
        return jnp.where(go_on, new, z), jnp.where(go_on, now, change), iterations + go_on

    start = jnp.log(counts + 0.5) - offsets
    z, change, iterations = lax.fori_loop(0, 10, step, (start, jnp.inf, 0))
    return z, iterations, change <= 1e-5
