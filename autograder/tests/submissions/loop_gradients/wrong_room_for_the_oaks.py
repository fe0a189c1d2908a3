# wrong: starts for the leaves of the oaks; exercise: loop_gradients; must fail: outputs; says: shape
def solve(counts, offsets, omega):
    def go_on(state):
        _, change, steps = state
        return (change > 1e-5) & (steps < 100)

    def step(state):
        z, _, steps = state
        new = newton(z, counts, offsets, omega)
        return new, jnp.max(jnp.abs(new - z) / (1 + jnp.abs(new))), steps + 1

    n = len(counts)
    start = jnp.zeros((116, counts.shape[1])).at[:n].set(jnp.log(counts + 0.5) - offsets)[:n]
    return lax.while_loop(go_on, step, (start, jnp.inf, 0))[0]


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
