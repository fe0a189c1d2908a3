# wrong: ten Newton steps, too few for a count of 0 with an offset of 12 or more; exercise: loop_gradients; must fail: outputs; says: expected
def solve(counts, offsets, omega):
    start = jnp.log(counts + 0.5) - offsets
    return lax.fori_loop(0, 10, lambda _, z: newton(z, counts, offsets, omega), start)


@jax.custom_vjp
def latent_mode(counts, offsets, omega):
    return solve(counts, offsets, omega)


def forward(counts, offsets, omega):
    z = solve(counts, offsets, omega)
    return z, (z, offsets, omega)


def backward(kept, cotangent):
    z, offsets, omega = kept
    rate = jnp.exp(offsets + z)
    share = cotangent / (rate + omega)
    return share, -rate * share, -jnp.sum(z * share, axis=0)


latent_mode.defvjp(forward, backward)


def laplace(counts, offsets, omega):
    z = latent_mode(counts, offsets, omega)
    rate = jnp.exp(offsets + z)
    entries = counts * (offsets + z) - rate - omega * z**2 / 2
    return jnp.sum(entries + jnp.log(omega) / 2 - jnp.log(rate + omega) / 2)


@jax.jit
def laplace_with_gradient(counts, offsets, omega):
    return jax.value_and_grad(laplace, argnums=(1, 2))(counts, offsets, omega)
