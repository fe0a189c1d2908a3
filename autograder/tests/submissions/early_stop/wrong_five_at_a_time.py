# wrong: in chunks of five steps, which stop at the fifth only; exercise: early_stop; must fail: outputs; says: nothing changes any more
@jax.jit
def latent_mode(counts, offsets, limit):
    def go_on(state):
        _, change, iterations = state
        return (change > 1e-5) & (iterations < limit)

    def step(state):
        z, change, iterations = state
        for _ in range(5):
            new = newton(z, counts, offsets)
            change = jnp.max(jnp.abs(new - z) / (1 + jnp.abs(new)))
            z = new
        return z, change, iterations + 5

    start = jnp.log(counts + 0.5) - offsets, jnp.inf, 0
    z, change, iterations = lax.while_loop(go_on, step, start)
    return z, iterations, change <= 1e-5
