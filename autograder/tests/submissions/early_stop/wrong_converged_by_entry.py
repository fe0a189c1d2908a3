# wrong: converged is one flag for each entry, not one; exercise: early_stop; must fail: outputs; says: they are
@jax.jit
def latent_mode(counts, offsets, limit):
    def go_on(state):
        _, change, iterations = state
        return jnp.any(change > 1e-5) & (iterations < limit)

    def step(state):
        z, _, iterations = state
        new = newton(z, counts, offsets)
        return new, jnp.abs(new - z) / (1 + jnp.abs(new)), iterations + 1

    start = jnp.log(counts + 0.5) - offsets
    first = jnp.full_like(start, jnp.inf)
    z, change, iterations = lax.while_loop(go_on, step, (start, first, 0))
    return z, iterations, change <= 1e-5
