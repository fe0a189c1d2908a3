# right: the whole gradient by hand, no derivative of the loop; exercise: loop_gradients
def solve(counts, offsets, omega):
    def go_on(state):
        _, change, steps = state
        return (change > 1e-5) & (steps < 100)

    def step(state):
        z, _, steps = state
        new = newton(z, counts, offsets, omega)
        return new, jnp.max(jnp.abs(new - z) / (1 + jnp.abs(new))), steps + 1

    start = jnp.log(counts + 0.5) - offsets
    return lax.while_loop(go_on, step, (start, jnp.inf, 0))[0]


@jax.jit
def laplace_with_gradient(counts, offsets, omega):
    z = solve(counts, offsets, omega)
    rate = jnp.exp(offsets + z)
    sums = rate + omega
    entries = counts * (offsets + z) - rate - omega * z**2 / 2 + jnp.log(omega / sums) / 2
    pull = -rate / (2 * sums**2)
    by_omega = -(z**2) / 2 + 1 / (2 * omega) - 1 / (2 * sums) - z * pull
    return entries.sum(), (counts - rate + omega * pull, by_omega.sum(axis=0))
