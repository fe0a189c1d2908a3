# wrong: twenty steps one after the other in the program; exercise: loop_gradients; must fail: memory; says: scratch memory
def latent_mode(counts, offsets, omega):
    z = jnp.log(counts + 0.5) - offsets
    for _ in range(20):
        z = newton(z, counts, offsets, omega)
    return z


def laplace(counts, offsets, omega):
    z = latent_mode(counts, offsets, omega)
    rate = jnp.exp(offsets + z)
    entries = counts * (offsets + z) - rate - omega * z**2 / 2
    return jnp.sum(entries + jnp.log(omega) / 2 - jnp.log(rate + omega) / 2)


@jax.jit
def laplace_with_gradient(counts, offsets, omega):
    return jax.value_and_grad(laplace, argnums=(1, 2))(counts, offsets, omega)
