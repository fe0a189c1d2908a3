# wrong: room for the entries of the oaks; exercise: early_stop; must fail: outputs; says: different sizes
@jax.jit
def latent_mode(counts, offsets, limit):
    n = counts.size
    y = jnp.ones(116 * 114).at[:n].set(counts.ravel())
    o = jnp.zeros(116 * 114).at[:n].set(offsets.ravel())

    def go_on(state):
        _, change, iterations = state
        return (change > 1e-5) & (iterations < limit)

    def step(state):
        z, _, iterations = state
        new = newton(z, y, o)
        return new, jnp.max(jnp.abs(new - z)[:n] / (1 + jnp.abs(new[:n]))), iterations + 1

    z, change, iterations = lax.while_loop(go_on, step, (jnp.log(y + 0.5) - o, jnp.inf, 0))
    return z[:n].reshape(counts.shape), iterations, change <= 1e-5
