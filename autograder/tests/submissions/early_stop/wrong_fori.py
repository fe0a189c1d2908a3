# wrong: a fixed number of turns; exercise: early_stop; must fail: outputs; says: ran to its limit
@jax.jit
def latent_mode(counts, offsets, limit):
    start = jnp.log(counts + 0.5) - offsets
    before = lax.fori_loop(0, limit - 1, lambda _, z: newton(z, counts, offsets), start)
    z = newton(before, counts, offsets)
    return z, limit, jnp.max(jnp.abs(z - before)) <= 1e-4
