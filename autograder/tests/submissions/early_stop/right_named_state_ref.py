# right: the number of steps in a ref; exercise: early_stop
@jax.jit
def latent_mode(counts, offsets, limit):
    made = jax.new_ref(jnp.int32(0))

    def step(state):
        z, _, i = state
        new = newton(z, counts, offsets)
        return new, jnp.max(jnp.abs(new - z) / (1 + jnp.abs(new))), i + 1

    z, change, i = lax.while_loop(
        lambda s: (s[1] > 1e-5) & (s[2] < limit),
        step,
        (jnp.log(counts + 0.5) - offsets, jnp.inf, 0),
    )
    made[...] = i
    return z, made[...], change <= 1e-5
