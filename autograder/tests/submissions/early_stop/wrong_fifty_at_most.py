# wrong: never more than the fifty steps of the notebook; exercise: early_stop; must fail: outputs; says: it stopped after 50 steps
@jax.jit
def latent_mode(counts, offsets, limit):
    def go_on(state):
        _, change, iterations = state
        return (change > 1e-5) & (iterations < jnp.minimum(limit, 50))

    def step(state):
        z, _, iterations = state
        new = newton(z, counts, offsets)
        return new, jnp.max(jnp.abs(new - z) / (1 + jnp.abs(new))), iterations + 1

    start = jnp.log(counts + 0.5) - offsets, jnp.inf, 0
    z, change, iterations = lax.while_loop(go_on, step, start)
    return z, iterations, change <= 1e-5
