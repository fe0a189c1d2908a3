# wrong: tests after every second step, and makes one step too many where the limit is odd; exercise: early_stop; must fail: outputs; says: limit is 3
@jax.jit
def latent_mode(counts, offsets, limit):
    def go_on(state):
        _, change, iterations = state
        return (change > 1e-5) & (iterations < limit)

    def two_steps(state):
        z, _, iterations = state
        middle = newton(z, counts, offsets)
        new = newton(middle, counts, offsets)
        change = jnp.max(jnp.abs(new - middle) / (1 + jnp.abs(new)))
        return new, change, iterations + 2

    start = jnp.log(counts + 0.5) - offsets
    z, change, iterations = lax.while_loop(go_on, two_steps, (start, jnp.inf, 0))
    return z, iterations, change <= 1e-5
