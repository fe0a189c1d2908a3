# wrong: still a Python while; exercise: early_stop; must fail: outputs; says: becomes `lax.while_loop`
@jax.jit
def latent_mode(counts, offsets, limit):
    z = jnp.log(counts + 0.5) - offsets
    change, iterations = jnp.inf, 0
    while (change > 1e-5) & (iterations < limit):
        new = newton(z, counts, offsets)
        change = jnp.max(jnp.abs(new - z) / (1 + jnp.abs(new)))
        z, iterations = new, iterations + 1
    return z, iterations, change <= 1e-5
