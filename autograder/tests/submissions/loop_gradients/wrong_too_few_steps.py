# wrong: a scan of 5 steps; exercise: loop_gradients; must fail: outputs; says: laplace_with_gradient
def latent_mode(counts, offsets, omega):
    def body(z, _):
        return newton(z, counts, offsets, omega), None

    start = jnp.log(counts + 0.5) - offsets
    return lax.scan(body, start, length=5)[0]


def laplace(counts, offsets, omega):
    z = latent_mode(counts, offsets, omega)
    rate = jnp.exp(offsets + z)
    entries = counts * (offsets + z) - rate - omega * z**2 / 2
    return jnp.sum(entries + jnp.log(omega) / 2 - jnp.log(rate + omega) / 2)


@jax.jit
def laplace_with_gradient(counts, offsets, omega):
    return jax.value_and_grad(laplace, argnums=(1, 2))(counts, offsets, omega)
