# wrong: a Python for with masks; exercise: early_stop; must fail: compilations; says: lax.fori_loop
@jax.jit(static_argnames="limit")
def latent_mode(counts, offsets, limit):
    z, change, iterations = jnp.log(counts + 0.5) - offsets, jnp.float32(jnp.inf), jnp.int32(0)
    for _ in range(limit):
        new = newton(z, counts, offsets)
        go_on = change > 1e-5
        change = jnp.where(go_on, jnp.max(jnp.abs(new - z) / (1 + jnp.abs(z))), change)
        z, iterations = jnp.where(go_on, new, z), iterations + go_on
    return z, iterations, change <= 1e-5
