"""Repairs of the lesson loop_gradients, right and wrong, its starters and empty cells."""

# %% right_adjoint_fixed_point
# right: the backward pass is a while_loop of its own; exercise: loop_gradients
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


@jax.custom_vjp
def latent_mode(counts, offsets, omega):
    return solve(counts, offsets, omega)


def forward(counts, offsets, omega):
    z = solve(counts, offsets, omega)
    return z, (z, counts, offsets, omega)


def backward(kept, cotangent):
    z, *inputs = kept
    _, pull_z = jax.vjp(lambda z: newton(z, *inputs), z)
    _, pull = jax.vjp(lambda *inputs: newton(z, *inputs), *inputs)

    def step(state):
        old, _ = state
        new = cotangent + pull_z(old)[0]
        return new, jnp.max(jnp.abs(new - old))

    return pull(lax.while_loop(lambda s: s[1] > 1e-6, step, (cotangent, jnp.inf))[0])


latent_mode.defvjp(forward, backward)


def laplace(counts, offsets, omega):
    z = latent_mode(counts, offsets, omega)
    rate = jnp.exp(offsets + z)
    entries = counts * (offsets + z) - rate - omega * z**2 / 2
    return jnp.sum(entries + jnp.log(omega) / 2 - jnp.log(rate + omega) / 2)


@jax.jit
def laplace_with_gradient(counts, offsets, omega):
    return jax.value_and_grad(laplace, argnums=(1, 2))(counts, offsets, omega)

# %% right_by_hand
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

# %% right_counts_none
# right: no derivative for the counts, which are data; exercise: loop_gradients
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
    return None, -rate * share, -jnp.sum(z * share, axis=0)


latent_mode.defvjp(forward, backward)


def laplace(counts, offsets, omega):
    z = latent_mode(counts, offsets, omega)
    rate = jnp.exp(offsets + z)
    entries = counts * (offsets + z) - rate - omega * z**2 / 2
    return jnp.sum(entries + jnp.log(omega) / 2 - jnp.log(rate + omega) / 2)


@jax.jit
def laplace_with_gradient(counts, offsets, omega):
    return jax.value_and_grad(laplace, argnums=(1, 2))(counts, offsets, omega)

# %% right_custom_jvp
# right: a forward rule, from which JAX makes the backward one; exercise: loop_gradients
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


@jax.custom_jvp
def latent_mode(counts, offsets, omega):
    return solve(counts, offsets, omega)


@latent_mode.defjvp
def _(primals, tangents):
    counts, offsets, omega = primals
    dy, do, dw = tangents
    z = latent_mode(counts, offsets, omega)
    rate = jnp.exp(offsets + z)
    return z, (dy - rate * do - z * dw) / (rate + omega)


def laplace(counts, offsets, omega):
    z = latent_mode(counts, offsets, omega)
    rate = jnp.exp(offsets + z)
    entries = counts * (offsets + z) - rate - omega * z**2 / 2
    return jnp.sum(entries + jnp.log(omega) / 2 - jnp.log(rate + omega) / 2)


@jax.jit
def laplace_with_gradient(counts, offsets, omega):
    return jax.value_and_grad(laplace, argnums=(1, 2))(counts, offsets, omega)

# %% right_custom_root
# right: lax.custom_root, with a division for the linear equations; exercise: loop_gradients
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


def latent_mode(counts, offsets, omega):
    def balance(z):
        return counts - jnp.exp(offsets + z) - omega * z

    def find(_, start):
        return solve(counts, offsets, omega)

    def divide(linear, y):
        return y / linear(jnp.ones_like(y))

    return lax.custom_root(balance, jnp.zeros_like(counts), find, divide)


def laplace(counts, offsets, omega):
    z = latent_mode(counts, offsets, omega)
    rate = jnp.exp(offsets + z)
    entries = counts * (offsets + z) - rate - omega * z**2 / 2
    return jnp.sum(entries + jnp.log(omega) / 2 - jnp.log(rate + omega) / 2)


@jax.jit
def laplace_with_gradient(counts, offsets, omega):
    return jax.value_and_grad(laplace, argnums=(1, 2))(counts, offsets, omega)

# %% right_equation_by_vjp
# right: the equation differentiated by jax.vjp; exercise: loop_gradients
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


def balance(z, counts, offsets, omega):
    return counts - jnp.exp(offsets + z) - omega * z


@jax.custom_vjp
def latent_mode(*inputs):
    return solve(*inputs)


def forward(*inputs):
    z = latent_mode(*inputs)
    return z, (z, inputs)


def backward(kept, cotangent):
    z, inputs = kept
    slope = jax.grad(lambda z: balance(z, *inputs).sum())(z)
    _, pull = jax.vjp(lambda *inputs: balance(z, *inputs), *inputs)
    return pull(-cotangent / slope)


latent_mode.defvjp(forward, backward)


def laplace(counts, offsets, omega):
    z = latent_mode(counts, offsets, omega)
    rate = jnp.exp(offsets + z)
    entries = counts * (offsets + z) - rate - omega * z**2 / 2
    return jnp.sum(entries + jnp.log(omega) / 2 - jnp.log(rate + omega) / 2)


@jax.jit
def laplace_with_gradient(counts, offsets, omega):
    return jax.value_and_grad(laplace, argnums=(1, 2))(counts, offsets, omega)

# %% right_forward_through_the_loop
# right: the backward function runs the loop in forward mode; exercise: loop_gradients
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


@jax.custom_vjp
def latent_mode(counts, offsets, omega):
    return solve(counts, offsets, omega)


def forward(counts, offsets, omega):
    return solve(counts, offsets, omega), (counts, offsets, omega)


def backward(kept, cotangent):
    counts, offsets, omega = kept
    by_offsets = jax.jvp(lambda o: solve(counts, o, omega), (offsets,), (jnp.ones_like(offsets),))
    by_omega = jax.jvp(lambda w: solve(counts, offsets, w), (omega,), (jnp.ones_like(omega),))
    return None, cotangent * by_offsets[1], (cotangent * by_omega[1]).sum(0)


latent_mode.defvjp(forward, backward)


def laplace(counts, offsets, omega):
    z = latent_mode(counts, offsets, omega)
    rate = jnp.exp(offsets + z)
    entries = counts * (offsets + z) - rate - omega * z**2 / 2
    return jnp.sum(entries + jnp.log(omega) / 2 - jnp.log(rate + omega) / 2)


@jax.jit
def laplace_with_gradient(counts, offsets, omega):
    return jax.value_and_grad(laplace, argnums=(1, 2))(counts, offsets, omega)

# %% right_jit_inside
# right: jit around the solver too, and value and gradient by hand-made vjp; exercise: loop_gradients
@jax.jit
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
    value, pull = jax.vjp(partial(laplace, counts), offsets, omega)
    return value, pull(jnp.ones_like(value))

# %% right_memory_checkpointed_gradient
# right: what is checkpointed is the update, in a function outside; exercise: loop_gradients_memory
@jax.checkpoint
def climb(params, rates, Y, O):
    gradient = jax.grad(elbo)(params, Y, O)
    return jax.tree.map(lambda x, g: x + rates * g, params, gradient)


@partial(jax.jit, static_argnames="steps")
def fit_with_gradient(rates, Y, O, steps):
    def elbo_after(rates):
        def body(params, _):
            return climb(params, rates, Y, O), None

        start = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        return elbo(lax.scan(body, start, length=steps)[0], Y, O)

    return jax.value_and_grad(elbo_after)(rates)

# %% right_memory_coarse
# right: ten steps at a time are kept or computed again; exercise: loop_gradients_memory
@partial(jax.jit, static_argnames="steps")
def fit_with_gradient(rates, Y, O, steps):
    def elbo_after(rates):
        def body(params, _):
            gradient = jax.grad(elbo)(params, Y, O)
            return jax.tree.map(lambda x, g: x + rates * g, params, gradient), None

        @jax.checkpoint
        def many(params, _):
            return lax.scan(body, params, length=10)[0], None

        def whole(params):
            params = lax.scan(many, params, length=steps // 10)[0]
            return lax.scan(body, params, length=steps % 10)[0]

        start = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        return elbo(whole(start), Y, O)

    return jax.value_and_grad(elbo_after)(rates)

# %% right_memory_entries_forward
# right: each entry carries its own derivative along; exercise: loop_gradients_memory
@partial(jax.jit, static_argnames="steps")
def fit_with_gradient(rates, Y, O, steps):
    def climb(params, rates):
        gradient = jax.grad(elbo)(params, Y, O)
        return jax.tree.map(lambda x, g: x + rates * g, params, gradient)

    def body(state, _):
        params, slopes = state
        return jax.jvp(climb, (params, rates), (slopes, jnp.ones_like(rates))), None

    zeros = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
    (params, slopes), _ = lax.scan(body, (zeros, zeros), length=steps)
    value, gradient = jax.value_and_grad(elbo)(params, Y, O)
    by_entry = gradient[0] * slopes[0] + gradient[1] * slopes[1]
    return value, by_entry.sum(axis=0)

# %% right_memory_fori_loop
# right: fori_loop over a checkpointed step; exercise: loop_gradients_memory
@partial(jax.jit, static_argnames="steps")
def fit_with_gradient(rates, Y, O, steps):
    def elbo_after(rates):
        @jax.checkpoint
        def step(params):
            gradient = jax.grad(elbo)(params, Y, O)
            return jax.tree.map(lambda x, g: x + rates * g, params, gradient)

        start = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        return elbo(lax.fori_loop(0, steps, lambda _, params: step(params), start), Y, O)

    return jax.value_and_grad(elbo_after)(rates)

# %% right_memory_forward_mode
# right: forward mode, one rate at a time, keeps no step; exercise: loop_gradients_memory
@partial(jax.jit, static_argnames="steps")
def fit_with_gradient(rates, Y, O, steps):
    def elbo_after(rates):
        def body(params, _):
            gradient = jax.grad(elbo)(params, Y, O)
            return jax.tree.map(lambda x, g: x + rates * g, params, gradient), None

        start = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        return elbo(lax.scan(body, start, length=steps)[0], Y, O)

    def slope(direction):
        return jax.jvp(elbo_after, (rates,), (direction,))[1]

    return elbo_after(rates), lax.map(slope, jnp.eye(rates.size))

# %% right_memory_policy
# right: a policy that keeps nothing; exercise: loop_gradients_memory
@partial(jax.jit, static_argnames="steps")
def fit_with_gradient(rates, Y, O, steps):
    def elbo_after(rates):
        def body(params, _):
            gradient = jax.grad(elbo)(params, Y, O)
            return jax.tree.map(lambda x, g: x + rates * g, params, gradient), None

        start = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        return elbo(
            lax.scan(
                jax.checkpoint(body, policy=jax.checkpoint_policies.nothing_saveable),
                start,
                length=steps,
            )[0],
            Y,
            O,
        )

    return jax.value_and_grad(elbo_after)(rates)

# %% right_memory_prevent_cse
# right: prevent_cse=False, as the documentation has it within scan; exercise: loop_gradients_memory
@partial(jax.jit, static_argnames="steps")
def fit_with_gradient(rates, Y, O, steps):
    def elbo_after(rates):
        @partial(jax.checkpoint, prevent_cse=False)
        def body(params, _):
            gradient = jax.grad(elbo)(params, Y, O)
            return jax.tree.map(lambda x, g: x + rates * g, params, gradient), None

        start = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        return elbo(lax.scan(body, start, length=steps)[0], Y, O)

    return jax.value_and_grad(elbo_after)(rates)

# %% right_memory_remat
# right: jax.remat where the scan is called; exercise: loop_gradients_memory
@partial(jax.jit, static_argnames="steps")
def fit_with_gradient(rates, Y, O, steps):
    def elbo_after(rates):
        def body(params, _):
            gradient = jax.grad(elbo)(params, Y, O)
            return jax.tree.map(lambda x, g: x + rates * g, params, gradient), None

        start = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        return elbo(lax.scan(jax.remat(body), start, length=steps)[0], Y, O)

    return jax.value_and_grad(elbo_after)(rates)

# %% right_memory_two_levels
# right: scans of ten steps within a scan, both checkpointed; exercise: loop_gradients_memory
@partial(jax.jit, static_argnames="steps")
def fit_with_gradient(rates, Y, O, steps):
    def elbo_after(rates):
        def body(params, _):
            gradient = jax.grad(elbo)(params, Y, O)
            return jax.tree.map(lambda x, g: x + rates * g, params, gradient), None

        @jax.checkpoint
        def many(params, _):
            return lax.scan(jax.checkpoint(body), params, length=10)[0], None

        def whole(params):
            params = lax.scan(many, params, length=steps // 10)[0]
            return lax.scan(body, params, length=steps % 10)[0]

        start = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        return elbo(whole(start), Y, O)

    return jax.value_and_grad(elbo_after)(rates)

# %% right_memory_unroll
# right: four steps of the scan at a time; exercise: loop_gradients_memory
@partial(jax.jit, static_argnames="steps")
def fit_with_gradient(rates, Y, O, steps):
    def elbo_after(rates):
        @jax.checkpoint
        def body(params, _):
            gradient = jax.grad(elbo)(params, Y, O)
            return jax.tree.map(lambda x, g: x + rates * g, params, gradient), None

        start = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        return elbo(lax.scan(body, start, length=steps, unroll=4)[0], Y, O)

    return jax.value_and_grad(elbo_after)(rates)

# %% right_one_newton_step
# right: one step more, which is differentiated, after a loop that is not; exercise: loop_gradients
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


def latent_mode(counts, offsets, omega):
    found = solve(*lax.stop_gradient((counts, offsets, omega)))
    return newton(found, counts, offsets, omega)


def laplace(counts, offsets, omega):
    z = latent_mode(counts, offsets, omega)
    rate = jnp.exp(offsets + z)
    entries = counts * (offsets + z) - rate - omega * z**2 / 2
    return jnp.sum(entries + jnp.log(omega) / 2 - jnp.log(rate + omega) / 2)


@jax.jit
def laplace_with_gradient(counts, offsets, omega):
    return jax.value_and_grad(laplace, argnums=(1, 2))(counts, offsets, omega)

# %% right_vmapped_entries
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

# %% wrong_array_only
# wrong: the derivative in the offsets only, no tuple; exercise: loop_gradients; must fail: outputs; says: one entry for each argument
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
    return -rate * share


latent_mode.defvjp(forward, backward)


def laplace(counts, offsets, omega):
    z = latent_mode(counts, offsets, omega)
    rate = jnp.exp(offsets + z)
    entries = counts * (offsets + z) - rate - omega * z**2 / 2
    return jnp.sum(entries + jnp.log(omega) / 2 - jnp.log(rate + omega) / 2)


@jax.jit
def laplace_with_gradient(counts, offsets, omega):
    return jax.value_and_grad(laplace, argnums=(1, 2))(counts, offsets, omega)

# %% wrong_closes_over_omega
# wrong: omega from around the rule; exercise: loop_gradients; must fail: outputs; says: as an argument
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


def latent_mode(counts, offsets, omega):
    @jax.custom_vjp
    def mode(offsets):
        return solve(counts, offsets, omega)

    def forward(offsets):
        z = mode(offsets)
        return z, (z, offsets)

    def backward(kept, cotangent):
        z, offsets = kept
        rate = jnp.exp(offsets + z)
        return (-rate * cotangent / (rate + omega),)

    mode.defvjp(forward, backward)
    return mode(offsets)


def laplace(counts, offsets, omega):
    z = latent_mode(counts, offsets, omega)
    rate = jnp.exp(offsets + z)
    entries = counts * (offsets + z) - rate - omega * z**2 / 2
    return jnp.sum(entries + jnp.log(omega) / 2 - jnp.log(rate + omega) / 2)


@jax.jit
def laplace_with_gradient(counts, offsets, omega):
    return jax.value_and_grad(laplace, argnums=(1, 2))(counts, offsets, omega)

# %% wrong_fori_loop
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

# %% wrong_hundred_at_most
# wrong: a hundred steps at most; exercise: loop_gradients_memory; must fail: outputs; says: fit_with_gradient
@partial(jax.jit, static_argnames="steps")
def fit_with_gradient(rates, Y, O, steps):
    def elbo_after(rates):
        @jax.checkpoint
        def body(params, _):
            gradient = jax.grad(elbo)(params, Y, O)
            return jax.tree.map(lambda x, g: x + rates * g, params, gradient), None

        start = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        return elbo(lax.scan(body, start, length=min(steps, 100))[0], Y, O)

    return jax.value_and_grad(elbo_after)(rates)

# %% wrong_jvp_of_vjp
# wrong: forward mode over a custom_vjp; exercise: loop_gradients; must fail: outputs; says: jax.custom_jvp
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
    value = laplace(counts, offsets, omega)
    return value, jax.jacfwd(laplace, argnums=(1, 2))(counts, offsets, omega)

# %% wrong_keeps_in_a_list
# wrong: what the backward pass needs, in a list outside; exercise: loop_gradients; must fail: purity; says: kept_here
kept_here = []


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


@jax.custom_vjp
def latent_mode(counts, offsets, omega):
    return solve(counts, offsets, omega)


def forward(counts, offsets, omega):
    z = solve(counts, offsets, omega)
    kept_here.append((z, offsets, omega))
    return z, None


def backward(kept, cotangent):
    z, offsets, omega = kept_here[-1]
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

# %% wrong_mean_over_sites
# wrong: the mean over sites in place of the sum; exercise: loop_gradients; must fail: outputs; says: [1][1]
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
    return share, -rate * share, -jnp.mean(z * share, axis=0)


latent_mode.defvjp(forward, backward)


def laplace(counts, offsets, omega):
    z = latent_mode(counts, offsets, omega)
    rate = jnp.exp(offsets + z)
    entries = counts * (offsets + z) - rate - omega * z**2 / 2
    return jnp.sum(entries + jnp.log(omega) / 2 - jnp.log(rate + omega) / 2)


@jax.jit
def laplace_with_gradient(counts, offsets, omega):
    return jax.value_and_grad(laplace, argnums=(1, 2))(counts, offsets, omega)

# %% wrong_memory_elbo_only
# wrong: the last ELBO is checkpointed; exercise: loop_gradients_memory; must fail: memory; says: scratch memory
@partial(jax.jit, static_argnames="steps")
def fit_with_gradient(rates, Y, O, steps):
    def elbo_after(rates):
        def body(params, _):
            gradient = jax.grad(elbo)(params, Y, O)
            return jax.tree.map(lambda x, g: x + rates * g, params, gradient), None

        start = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        return jax.checkpoint(elbo)(lax.scan(body, start, length=steps)[0], Y, O)

    return jax.value_and_grad(elbo_after)(rates)

# %% wrong_memory_everything
# wrong: a policy that keeps everything; exercise: loop_gradients_memory; must fail: memory; says: scratch memory
@partial(jax.jit, static_argnames="steps")
def fit_with_gradient(rates, Y, O, steps):
    def elbo_after(rates):
        def body(params, _):
            gradient = jax.grad(elbo)(params, Y, O)
            return jax.tree.map(lambda x, g: x + rates * g, params, gradient), None

        start = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        return elbo(
            lax.scan(
                jax.checkpoint(body, policy=jax.checkpoint_policies.everything_saveable),
                start,
                length=steps,
            )[0],
            Y,
            O,
        )

    return jax.value_and_grad(elbo_after)(rates)

# %% wrong_memory_fewer_steps
# wrong: at most 50 iterations; exercise: loop_gradients_memory; must fail: outputs; says: [0]
@partial(jax.jit, static_argnames="steps")
def fit_with_gradient(rates, Y, O, steps):
    def elbo_after(rates):
        @jax.checkpoint
        def body(params, _):
            gradient = jax.grad(elbo)(params, Y, O)
            return jax.tree.map(lambda x, g: x + rates * g, params, gradient), None

        start = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        return elbo(lax.scan(body, start, length=min(steps, 50))[0], Y, O)

    return jax.value_and_grad(elbo_after)(rates)

# %% wrong_memory_fori_loop
# wrong: fori_loop in place of scan; exercise: loop_gradients_memory; must fail: memory; says: scratch memory
@partial(jax.jit, static_argnames="steps")
def fit_with_gradient(rates, Y, O, steps):
    def elbo_after(rates):
        def step(_, params):
            gradient = jax.grad(elbo)(params, Y, O)
            return jax.tree.map(lambda x, g: x + rates * g, params, gradient)

        start = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        return elbo(lax.fori_loop(0, steps, step, start), Y, O)

    return jax.value_and_grad(elbo_after)(rates)

# %% wrong_memory_frozen_gradient
# wrong: the gradient within a step is taken as a constant; exercise: loop_gradients_memory; must fail: outputs; says: [1]
@partial(jax.jit, static_argnames="steps")
def fit_with_gradient(rates, Y, O, steps):
    def elbo_after(rates):
        def body(params, _):
            gradient = lax.stop_gradient(jax.grad(elbo)(params, Y, O))
            return jax.tree.map(lambda x, g: x + rates * g, params, gradient), None

        start = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        return elbo(lax.scan(body, start, length=steps)[0], Y, O)

    return jax.value_and_grad(elbo_after)(rates)

# %% wrong_memory_gradient_only
# wrong: the gradient alone; exercise: loop_gradients_memory; must fail: outputs; says: returns one array
@partial(jax.jit, static_argnames="steps")
def fit_with_gradient(rates, Y, O, steps):
    def elbo_after(rates):
        @jax.checkpoint
        def body(params, _):
            gradient = jax.grad(elbo)(params, Y, O)
            return jax.tree.map(lambda x, g: x + rates * g, params, gradient), None

        start = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        return elbo(lax.scan(body, start, length=steps)[0], Y, O)

    return jax.grad(elbo_after)(rates)

# %% wrong_memory_history
# wrong: the history of M is kept and summed; exercise: loop_gradients_memory; must fail: memory; says: scratch memory
def last(result):
    _, (kept, gradients) = result
    return jax.tree.map(lambda x, g: x[-1] + 0 * g.sum(0), kept, gradients)


@partial(jax.jit, static_argnames="steps")
def fit_with_gradient(rates, Y, O, steps):
    def elbo_after(rates):
        @jax.checkpoint
        def body(params, _):
            gradient = jax.grad(elbo)(params, Y, O)
            new = jax.tree.map(lambda x, g: x + rates * g, params, gradient)
            return new, (new, gradient)

        start = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        return elbo(last(lax.scan(body, start, length=steps)), Y, O)

    return jax.value_and_grad(elbo_after)(rates)

# %% wrong_memory_jitted_body
# wrong: jit in place of checkpoint; exercise: loop_gradients_memory; must fail: memory; says: scratch memory
@partial(jax.jit, static_argnames="steps")
def fit_with_gradient(rates, Y, O, steps):
    def elbo_after(rates):
        @jax.jit
        def body(params, _):
            gradient = jax.grad(elbo)(params, Y, O)
            return jax.tree.map(lambda x, g: x + rates * g, params, gradient), None

        start = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        return elbo(lax.scan(body, start, length=steps)[0], Y, O)

    return jax.value_and_grad(elbo_after)(rates)

# %% wrong_memory_multiples_of_ten
# wrong: saves memory only where the number of steps is a multiple of ten; exercise: loop_gradients_memory; must fail: memory; says: scratch memory
@partial(jax.jit, static_argnames="steps")
def fit_with_gradient(rates, Y, O, steps):
    def elbo_after(rates):
        def body(params, _):
            gradient = jax.grad(elbo)(params, Y, O)
            return jax.tree.map(lambda x, g: x + rates * g, params, gradient), None

        @jax.checkpoint
        def ten(params, _):
            return lax.scan(body, params, length=10)[0], None

        start = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        if steps % 10 == 0:
            params, _ = lax.scan(ten, start, length=steps // 10)
        else:
            params, _ = lax.scan(body, start, length=steps)
        return elbo(params, Y, O)

    return jax.value_and_grad(elbo_after)(rates)

# %% wrong_memory_no_jit
# wrong: no jit; exercise: loop_gradients_memory; must fail: compilations; says: jit
def fit_with_gradient(rates, Y, O, steps):
    def elbo_after(rates):
        @jax.checkpoint
        def body(params, _):
            gradient = jax.grad(elbo)(params, Y, O)
            return jax.tree.map(lambda x, g: x + rates * g, params, gradient), None

        start = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        return elbo(lax.scan(body, start, length=steps)[0], Y, O)

    return jax.value_and_grad(elbo_after)(rates)

# %% wrong_memory_python_loop
# wrong: checkpoints each iteration of a Python loop; exercise: loop_gradients_memory; must fail: compilations; says: too large
@partial(jax.jit, static_argnames="steps")
def fit_with_gradient(rates, Y, O, steps):
    @jax.checkpoint
    def body(params, rates):
        gradient = jax.grad(elbo)(params, Y, O)
        return jax.tree.map(lambda x, g: x + rates * g, params, gradient)

    def elbo_after(rates):
        params = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        for _ in range(steps):
            params = body(params, rates)
        return elbo(params, Y, O)

    return jax.value_and_grad(elbo_after)(rates)

# %% wrong_memory_rounded
# wrong: M and log_S rounded to half precision in the carry; exercise: loop_gradients_memory; must fail: outputs; says: [0]
@partial(jax.jit, static_argnames="steps")
def fit_with_gradient(rates, Y, O, steps):
    def elbo_after(rates):
        @jax.checkpoint
        def body(params, _):
            gradient = jax.grad(elbo)(params, Y, O)
            new = jax.tree.map(lambda x, g: x + rates * g, params, gradient)
            return jax.tree.map(lambda x: x.astype(jnp.float16).astype(jnp.float32), new), None

        start = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        return elbo(lax.scan(body, start, length=steps)[0], Y, O)

    return jax.value_and_grad(elbo_after)(rates)

# %% wrong_memory_stopped
# wrong: only the last step is differentiated; exercise: loop_gradients_memory; must fail: outputs; says: [1]
@partial(jax.jit, static_argnames="steps")
def fit_with_gradient(rates, Y, O, steps):
    def elbo_after(rates):
        def body(params, _):
            params = lax.stop_gradient(params)
            gradient = jax.grad(elbo)(params, Y, O)
            return jax.tree.map(lambda x, g: x + rates * g, params, gradient), None

        start = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        return elbo(lax.scan(body, start, length=steps)[0], Y, O)

    return jax.value_and_grad(elbo_after)(rates)

# %% wrong_memory_while_loop
# wrong: a while_loop; exercise: loop_gradients_memory; must fail: outputs; says: lax.scan
@partial(jax.jit, static_argnames="steps")
def fit_with_gradient(rates, Y, O, steps):
    def elbo_after(rates):
        def step(state):
            i, params = state
            gradient = jax.grad(elbo)(params, Y, O)
            return i + 1, jax.tree.map(lambda x, g: x + rates * g, params, gradient)

        start = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        return elbo(lax.while_loop(lambda s: s[0] < steps, step, (0, start))[1], Y, O)

    return jax.value_and_grad(elbo_after)(rates)

# %% wrong_memory_whole
# wrong: jax.checkpoint around the whole fit; exercise: loop_gradients_memory; must fail: memory; says: scratch memory
@partial(jax.jit, static_argnames="steps")
def fit_with_gradient(rates, Y, O, steps):
    def elbo_after(rates):
        def body(params, _):
            gradient = jax.grad(elbo)(params, Y, O)
            return jax.tree.map(lambda x, g: x + rates * g, params, gradient), None

        start = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        return elbo(lax.scan(body, start, length=steps)[0], Y, O)

    return jax.value_and_grad(jax.checkpoint(elbo_after))(rates)

# %% wrong_memory_whole_scan
# wrong: jax.checkpoint around the scan; exercise: loop_gradients_memory; must fail: memory; says: scratch memory
@partial(jax.jit, static_argnames="steps")
def fit_with_gradient(rates, Y, O, steps):
    def elbo_after(rates):
        def body(params, _):
            gradient = jax.grad(elbo)(params, Y, O)
            return jax.tree.map(lambda x, g: x + rates * g, params, gradient), None

        start = jnp.zeros(Y.shape), jnp.zeros(Y.shape)
        return elbo(
            jax.checkpoint(lambda start: lax.scan(body, start, length=steps)[0])(start), Y, O
        )

    return jax.value_and_grad(elbo_after)(rates)

# %% wrong_no_cotangent
# wrong: the cotangent forgotten; exercise: loop_gradients; must fail: outputs; says: [1][0]
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
    return 1 / (rate + omega), -rate / (rate + omega), -jnp.sum(z / (rate + omega), axis=0)


latent_mode.defvjp(forward, backward)


def laplace(counts, offsets, omega):
    z = latent_mode(counts, offsets, omega)
    rate = jnp.exp(offsets + z)
    entries = counts * (offsets + z) - rate - omega * z**2 / 2
    return jnp.sum(entries + jnp.log(omega) / 2 - jnp.log(rate + omega) / 2)


@jax.jit
def laplace_with_gradient(counts, offsets, omega):
    return jax.value_and_grad(laplace, argnums=(1, 2))(counts, offsets, omega)

# %% wrong_no_defvjp
# wrong: the rules are not attached; exercise: loop_gradients; must fail: outputs; says: defvjp(forward, backward)
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


def laplace(counts, offsets, omega):
    z = latent_mode(counts, offsets, omega)
    rate = jnp.exp(offsets + z)
    entries = counts * (offsets + z) - rate - omega * z**2 / 2
    return jnp.sum(entries + jnp.log(omega) / 2 - jnp.log(rate + omega) / 2)


@jax.jit
def laplace_with_gradient(counts, offsets, omega):
    return jax.value_and_grad(laplace, argnums=(1, 2))(counts, offsets, omega)

# %% wrong_no_jit
# wrong: no jit around value and gradient; exercise: loop_gradients; must fail: compilations; says: jit
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


def laplace_with_gradient(counts, offsets, omega):
    return jax.value_and_grad(laplace, argnums=(1, 2))(counts, offsets, omega)

# %% wrong_no_omega_in_slope
# wrong: omega forgotten in the slope of the equation; exercise: loop_gradients; must fail: outputs; says: [1][0]
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


@jax.custom_vjp
def latent_mode(counts, offsets, omega):
    return solve(counts, offsets, omega)


def forward(counts, offsets, omega):
    z = solve(counts, offsets, omega)
    return z, (z, offsets, omega)


def backward(kept, cotangent):
    z, offsets, _ = kept
    rate = jnp.exp(offsets + z)
    share = cotangent / rate
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

# %% wrong_no_pair
# wrong: forward returns the result only; exercise: loop_gradients; must fail: outputs; says: returns a pair
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


@jax.custom_vjp
def latent_mode(counts, offsets, omega):
    return solve(counts, offsets, omega)


def forward(counts, offsets, omega):
    return solve(counts, offsets, omega)


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

# %% wrong_no_sum
# wrong: the derivative in omega for each count, not for each taxon; exercise: loop_gradients; must fail: outputs; says: each of its argument's shape
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
    return share, -rate * share, -z * share


latent_mode.defvjp(forward, backward)


def laplace(counts, offsets, omega):
    z = latent_mode(counts, offsets, omega)
    rate = jnp.exp(offsets + z)
    entries = counts * (offsets + z) - rate - omega * z**2 / 2
    return jnp.sum(entries + jnp.log(omega) / 2 - jnp.log(rate + omega) / 2)


@jax.jit
def laplace_with_gradient(counts, offsets, omega):
    return jax.value_and_grad(laplace, argnums=(1, 2))(counts, offsets, omega)

# %% wrong_numpy_loop
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

# %% wrong_omega_none
# wrong: no derivative for omega; exercise: loop_gradients; must fail: outputs; says: [1][1]
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
    return share, -rate * share, None


latent_mode.defvjp(forward, backward)


def laplace(counts, offsets, omega):
    z = latent_mode(counts, offsets, omega)
    rate = jnp.exp(offsets + z)
    entries = counts * (offsets + z) - rate - omega * z**2 / 2
    return jnp.sum(entries + jnp.log(omega) / 2 - jnp.log(rate + omega) / 2)


@jax.jit
def laplace_with_gradient(counts, offsets, omega):
    return jax.value_and_grad(laplace, argnums=(1, 2))(counts, offsets, omega)

# %% wrong_one_missing
# wrong: no entry for the counts; exercise: loop_gradients; must fail: outputs; says: one entry for each argument
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
    return -rate * share, -jnp.sum(z * share, axis=0)


latent_mode.defvjp(forward, backward)


def laplace(counts, offsets, omega):
    z = latent_mode(counts, offsets, omega)
    rate = jnp.exp(offsets + z)
    entries = counts * (offsets + z) - rate - omega * z**2 / 2
    return jnp.sum(entries + jnp.log(omega) / 2 - jnp.log(rate + omega) / 2)


@jax.jit
def laplace_with_gradient(counts, offsets, omega):
    return jax.value_and_grad(laplace, argnums=(1, 2))(counts, offsets, omega)

# %% wrong_prints
# wrong: a print in the forward rule; exercise: loop_gradients; must fail: purity; says: print
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


@jax.custom_vjp
def latent_mode(counts, offsets, omega):
    return solve(counts, offsets, omega)


def forward(counts, offsets, omega):
    z = solve(counts, offsets, omega)
    print("forward")
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

# %% wrong_python_loop
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

# %% wrong_room_for_the_oaks
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

# %% wrong_scan
# wrong: a scan of 30 steps, all kept; exercise: loop_gradients; must fail: memory; says: scratch memory
def latent_mode(counts, offsets, omega):
    def body(z, _):
        return newton(z, counts, offsets, omega), None

    start = jnp.log(counts + 0.5) - offsets
    return lax.scan(body, start, length=30)[0]


def laplace(counts, offsets, omega):
    z = latent_mode(counts, offsets, omega)
    rate = jnp.exp(offsets + z)
    entries = counts * (offsets + z) - rate - omega * z**2 / 2
    return jnp.sum(entries + jnp.log(omega) / 2 - jnp.log(rate + omega) / 2)


@jax.jit
def laplace_with_gradient(counts, offsets, omega):
    return jax.value_and_grad(laplace, argnums=(1, 2))(counts, offsets, omega)

# %% wrong_scan_checkpointed
# wrong: a scan of 30 steps, each state kept; exercise: loop_gradients; must fail: memory; says: scratch memory
def latent_mode(counts, offsets, omega):
    def body(z, _):
        return newton(z, counts, offsets, omega), None

    start = jnp.log(counts + 0.5) - offsets
    return lax.scan(jax.checkpoint(body), start, length=30)[0]


def laplace(counts, offsets, omega):
    z = latent_mode(counts, offsets, omega)
    rate = jnp.exp(offsets + z)
    entries = counts * (offsets + z) - rate - omega * z**2 / 2
    return jnp.sum(entries + jnp.log(omega) / 2 - jnp.log(rate + omega) / 2)


@jax.jit
def laplace_with_gradient(counts, offsets, omega):
    return jax.value_and_grad(laplace, argnums=(1, 2))(counts, offsets, omega)

# %% wrong_sign
# wrong: the sign of the derivative in the offsets; exercise: loop_gradients; must fail: outputs; says: [1][0]
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
    return share, rate * share, -jnp.sum(z * share, axis=0)


latent_mode.defvjp(forward, backward)


def laplace(counts, offsets, omega):
    z = latent_mode(counts, offsets, omega)
    rate = jnp.exp(offsets + z)
    entries = counts * (offsets + z) - rate - omega * z**2 / 2
    return jnp.sum(entries + jnp.log(omega) / 2 - jnp.log(rate + omega) / 2)


@jax.jit
def laplace_with_gradient(counts, offsets, omega):
    return jax.value_and_grad(laplace, argnums=(1, 2))(counts, offsets, omega)

# %% wrong_stopped
# wrong: the loop stopped: z is taken as a constant; exercise: loop_gradients; must fail: outputs; says: [1][0]
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


def latent_mode(counts, offsets, omega):
    return lax.stop_gradient(solve(*lax.stop_gradient((counts, offsets, omega))))


def laplace(counts, offsets, omega):
    z = latent_mode(counts, offsets, omega)
    rate = jnp.exp(offsets + z)
    entries = counts * (offsets + z) - rate - omega * z**2 / 2
    return jnp.sum(entries + jnp.log(omega) / 2 - jnp.log(rate + omega) / 2)


@jax.jit
def laplace_with_gradient(counts, offsets, omega):
    return jax.value_and_grad(laplace, argnums=(1, 2))(counts, offsets, omega)

# %% wrong_stopped_outside
# wrong: stop_gradient around the result only; exercise: loop_gradients; must fail: outputs; says: [1][0]
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


def latent_mode(counts, offsets, omega):
    return lax.stop_gradient(solve(counts, offsets, omega))


def laplace(counts, offsets, omega):
    z = latent_mode(counts, offsets, omega)
    rate = jnp.exp(offsets + z)
    entries = counts * (offsets + z) - rate - omega * z**2 / 2
    return jnp.sum(entries + jnp.log(omega) / 2 - jnp.log(rate + omega) / 2)


@jax.jit
def laplace_with_gradient(counts, offsets, omega):
    return jax.value_and_grad(laplace, argnums=(1, 2))(counts, offsets, omega)

# %% wrong_stops_early
# wrong: a tolerance of a half; exercise: loop_gradients; must fail: outputs; says: laplace_with_gradient
def solve(counts, offsets, omega):
    def go_on(state):
        _, change, steps = state
        return (change > 0.5) & (steps < 100)

    def step(state):
        z, _, steps = state
        new = newton(z, counts, offsets, omega)
        return new, jnp.max(jnp.abs(new - z) / (1 + jnp.abs(new))), steps + 1

    start = jnp.log(counts + 0.5) - offsets
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

# %% wrong_ten_steps
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

# %% wrong_too_few_steps
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

# %% starter_loop_gradients
# starter: as shipped; exercise: loop_gradients; must fail: outputs; says: its derivative does not need the loop

# %% starter_loop_gradients_memory
# starter: as shipped; exercise: loop_gradients_memory; must fail: memory; says: needs

# %% empty_loop_gradients
# empty: nothing in the cell; exercise: loop_gradients; must fail: outputs; says: There is no function

# %% empty_loop_gradients_memory
# empty: nothing in the cell; exercise: loop_gradients_memory; must fail: outputs; says: There is no function
