# wrong: a loop for each entry of a vector, which fails for a table such as the oaks; exercise: early_stop; must fail: outputs; says: z
def one_mode(count, offset, limit):
    def go_on(state):
        _, change, iterations = state
        return (change > 1e-5) & (iterations < limit)

    def step(state):
        z, _, iterations = state
        new = newton(z, count, offset)
        return new, jnp.abs(new - z) / (1 + jnp.abs(new)), iterations + 1

    start = jnp.log(count + 0.5) - offset
    z, change, iterations = lax.while_loop(go_on, step, (start, jnp.inf, 0))
    return z, iterations, change <= 1e-5


@jax.jit
def latent_mode(counts, offsets, limit):
    each = jax.vmap(one_mode, in_axes=(0, 0, None))
    z, iterations, converged = each(counts, offsets, limit)
    return z, jnp.max(iterations), jnp.all(converged)
