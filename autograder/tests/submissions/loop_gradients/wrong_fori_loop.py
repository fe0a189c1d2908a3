# wrong: fori_loop with fixed bounds, which is a scan; exercise: loop_gradients; must fail: memory; says: scratch memory
def latent_mode(counts, offsets, omega):
    start = jnp.log(counts + 0.5) - offsets
    return lax.fori_loop(0, 20, lambda _, z: newton(z, counts, offsets, omega), start)


def laplace(counts, offsets, omega):
    z = latent_mode(counts, offsets, omega)
    rate = jnp.exp(offsets + z)
    entries = counts * (offsets + z) - rate - omega * z**2 / 2
    return jnp.sum(entries + jnp.log(omega) / 2 - jnp.log(rate + omega) / 2)


@jax.jit
def laplace_with_gradient(counts, offsets, omega):
    return jax.value_and_grad(laplace, argnums=(1, 2))(counts, offsets, omega)
