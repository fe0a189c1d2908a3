# right: a solver for one count, whose rule is for numbers, under vmap; exercise: loop_gradients
@jax.custom_vjp
def one(y, o, w):
    def go_on(state):
        return (state[1] > 1e-5) & (state[2] < 100)

    def step(state):
        new = newton(state[0], y, o, w)
        return new, jnp.abs(new - state[0]) / (1 + jnp.abs(new)), state[2] + 1

    return lax.while_loop(go_on, step, (jnp.log(y + 0.5) - o, jnp.inf, 0))[0]


def forward(y, o, w):
    z = one(y, o, w)
    return z, (z, jnp.exp(o + z), w)


def backward(kept, cotangent):
    z, rate, w = kept
    share = cotangent / (rate + w)
    return share, -rate * share, -z * share


one.defvjp(forward, backward)
latent_mode = jax.vmap(jax.vmap(one), in_axes=(0, 0, None))


def laplace(counts, offsets, omega):
    z = latent_mode(counts, offsets, omega)
    rate = jnp.exp(offsets + z)
    entries = counts * (offsets + z) - rate - omega * z**2 / 2
    return jnp.sum(entries + jnp.log(omega) / 2 - jnp.log(rate + omega) / 2)


@jax.jit
def laplace_with_gradient(counts, offsets, omega):
    return jax.value_and_grad(laplace, argnums=(1, 2))(counts, offsets, omega)
