# wrong: the step returns the old z; exercise: early_stop; must fail: outputs; says: where it began
@jax.jit
def latent_mode(counts, offsets, limit):
    def go_on(state):
        _, change, iterations = state
        return (change > 1e-5) & (iterations < limit)

    def step(state):
        z, _, iterations = state
        new = newton(z, counts, offsets)
        return z, jnp.max(jnp.abs(new - z) / (1 + jnp.abs(new))), iterations + 1

    z, change, iterations = lax.while_loop(
        go_on, step, (jnp.log(counts + 0.5) - offsets, jnp.inf, 0)
    )
    return z, iterations, change <= 1e-5
