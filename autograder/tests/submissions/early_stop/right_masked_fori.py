# right: fori_loop with a mask: does all turns, keeps the first good one; exercise: early_stop
@jax.jit
def latent_mode(counts, offsets, limit):
    def step(_, state):
        z, change, iterations = state
        new = newton(z, counts, offsets)
        change_now = jnp.max(jnp.abs(new - z) / (1 + jnp.abs(z)))
        go_on = change > 1e-5
        kept = jnp.where(go_on, new, z), jnp.where(go_on, change_now, change)
        return *kept, iterations + go_on

    start = jnp.log(counts + 0.5) - offsets
    z, change, iterations = lax.fori_loop(0, limit, step, (start, jnp.inf, 0))
    return z, iterations, change <= 1e-5
