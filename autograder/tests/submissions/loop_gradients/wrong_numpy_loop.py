# wrong: a Python while on the change; exercise: loop_gradients; must fail: outputs; says: lax.while_loop
def latent_mode(counts, offsets, omega):
    z, change = jnp.log(counts + 0.5) - offsets, jnp.inf
    while change > 1e-5:
        new = newton(z, counts, offsets, omega)
        change, z = jnp.max(jnp.abs(new - z)), new
    return z


def laplace(counts, offsets, omega):
    z = latent_mode(counts, offsets, omega)
    rate = jnp.exp(offsets + z)
    entries = counts * (offsets + z) - rate - omega * z**2 / 2
    return jnp.sum(entries + jnp.log(omega) / 2 - jnp.log(rate + omega) / 2)


@jax.jit
def laplace_with_gradient(counts, offsets, omega):
    return jax.value_and_grad(laplace, argnums=(1, 2))(counts, offsets, omega)
