# wrong: the step returns z only; exercise: early_stop; must fail: outputs; says: structure
@jax.jit
def latent_mode(counts, offsets, limit):
    def go_on(state):
        _, change, iterations = state
        return (change > 1e-5) & (iterations < limit)

    def step(state):
        z, _, _iterations = state
        new = newton(z, counts, offsets)
        return new

    start = jnp.log(counts + 0.5) - offsets
    z, change, iterations = lax.while_loop(go_on, step, (start, jnp.inf, 0))
    return z, iterations, change <= 1e-5
