"""Repairs of the lesson precision, right and wrong, its starters and empty cells."""

# %% right_zeros_like_float
# right: zeros like the first row, in float32; exercise: precision
def poisson_loss(b, Y, O):
    eta = O + b
    return (jnp.exp(eta) - Y * eta).mean()


@partial(jax.jit, static_argnames="steps")
def fit(Y, O, rate, steps):
    def step(b, _):
        loss, slope = jax.value_and_grad(poisson_loss)(b, Y, O)
        return b - rate * slope, loss

    return lax.scan(step, jnp.zeros_like(Y[0], dtype=jnp.float32), length=steps)

# %% right_converts_data
# right: converts the data first; exercise: precision
@partial(jax.jit, static_argnums=3)
def fit(Y, O, rate, steps):
    Y, O = Y.astype(jnp.float32), O.astype(jnp.float32)

    def loss(b):
        eta = O + b
        return jnp.mean(jnp.exp(eta) - Y * eta)

    def step(b, _):
        value, slope = jax.value_and_grad(loss)(b)
        return b - rate * slope, value

    return lax.scan(step, jnp.zeros_like(Y[0]), length=steps)

# %% right_dtype_of_rate
# right: the estimate has the dtype of the rate; exercise: precision
def poisson_loss(b, Y, O):
    eta = O + b
    return (jnp.exp(eta) - Y * eta).mean()


@partial(jax.jit, static_argnames=("steps",))
def fit(Y, O, rate, steps):
    b = jnp.zeros(Y.shape[1:], rate.dtype)

    def step(b, _):
        loss, slope = jax.value_and_grad(poisson_loss)(b, Y, O)
        return b - rate * slope, loss

    b, losses = lax.scan(step, b, None, length=steps)
    return b, losses

# %% right_gradient_by_hand
# right: the gradient by hand, sums in float32; exercise: precision
@jax.jit(static_argnames="steps")
def fit(Y, O, rate, steps):
    def step(b, _):
        eta = jnp.add(O, b)
        mean = jnp.exp(eta)
        loss = jnp.sum(mean - Y * eta, dtype=jnp.float32) / Y.size
        slope = jnp.sum(mean - Y, axis=0) / Y.size
        return b - rate * slope, loss

    return lax.scan(step, jnp.full(Y.shape[1], 0, jnp.float32), length=steps)

# %% right_fori_loop
# right: a fori_loop that writes the losses, in the promoted type; exercise: precision
def poisson_loss(b, Y, O):
    eta = O + b
    return (jnp.exp(eta) - Y * eta).mean()


@partial(jax.jit, static_argnames="steps")
def fit(Y, O, rate, steps):
    dtype = jnp.promote_types(Y.dtype, jnp.float32)

    def step(i, state):
        b, losses = state
        loss, slope = jax.value_and_grad(poisson_loss)(b, Y, O)
        return b - rate * slope, losses.at[i].set(loss)

    return lax.fori_loop(0, steps, step, (jnp.zeros(Y.shape[1], dtype), jnp.zeros(steps)))

# %% wrong_casts_each_step
# wrong: rounds the estimate to bfloat16 at each step; exercise: precision; must fail: outputs; says: bfloat16
def poisson_loss(b, Y, O):
    eta = O + b
    return (jnp.exp(eta) - Y * eta).mean()


@partial(jax.jit, static_argnames="steps")
def fit(Y, O, rate, steps):
    def step(b, _):
        loss, slope = jax.value_and_grad(poisson_loss)(b, Y, O)
        return (b - rate * slope).astype(b.dtype), loss

    return lax.scan(step, jnp.zeros_like(Y[0]), length=steps)

# %% wrong_casts_at_the_end
# wrong: all in bfloat16, float32 only at the end; exercise: precision; must fail: outputs; says: values differ
def poisson_loss(b, Y, O):
    eta = O + b
    return (jnp.exp(eta) - Y * eta).mean()


@partial(jax.jit, static_argnames="steps")
def fit(Y, O, rate, steps):
    def step(b, _):
        loss, slope = jax.value_and_grad(poisson_loss)(b, Y, O)
        return b - rate.astype(b.dtype) * slope, loss

    b, losses = lax.scan(step, jnp.zeros_like(Y[0]), length=steps)
    return b.astype(jnp.float32), losses.astype(jnp.float32)

# %% wrong_float_rate
# wrong: makes the rate a Python float; exercise: precision; must fail: outputs; says: float
def poisson_loss(b, Y, O):
    eta = O + b
    return (jnp.exp(eta) - Y * eta).mean()


@partial(jax.jit, static_argnames="steps")
def fit(Y, O, rate, steps):
    rate = float(rate)

    def step(b, _):
        loss, slope = jax.value_and_grad(poisson_loss)(b, Y, O)
        return b - rate * slope, loss

    return lax.scan(step, jnp.zeros_like(Y[0]), length=steps)

# %% wrong_static_rate
# wrong: the rate is static; exercise: precision; must fail: outputs; says: hashable
def poisson_loss(b, Y, O):
    eta = O + b
    return (jnp.exp(eta) - Y * eta).mean()


@partial(jax.jit, static_argnames=("rate", "steps"))
def fit(Y, O, rate, steps):
    def step(b, _):
        loss, slope = jax.value_and_grad(poisson_loss)(b, Y, O)
        return b - rate * slope, loss

    return lax.scan(step, jnp.zeros_like(Y[0]), length=steps)

# %% wrong_eta_in_bfloat16
# wrong: the exponent is computed in bfloat16; exercise: precision; must fail: outputs; says: values differ
def poisson_loss(b, Y, O):
    eta = O + b.astype(O.dtype)
    return (jnp.exp(eta) - Y * eta).mean().astype(jnp.float32)


@partial(jax.jit, static_argnames="steps")
def fit(Y, O, rate, steps):
    def step(b, _):
        loss, slope = jax.value_and_grad(poisson_loss)(b, Y, O)
        return b - rate * slope, loss

    return lax.scan(step, jnp.zeros(Y.shape[1]), length=steps)

# %% wrong_losses_short
# wrong: keeps the losses in the dtype of the data; exercise: precision; must fail: outputs; says: bfloat16
def poisson_loss(b, Y, O):
    eta = O + b
    return (jnp.exp(eta) - Y * eta).mean()


@partial(jax.jit, static_argnames="steps")
def fit(Y, O, rate, steps):
    def step(b, _):
        loss, slope = jax.value_and_grad(poisson_loss)(b, Y, O)
        return b - rate * slope, loss.astype(Y.dtype)

    return lax.scan(step, jnp.zeros(Y.shape[1]), length=steps)

# %% wrong_rounds_float32_data
# wrong: rounds all data to float16 first; exercise: precision; must fail: outputs; says: values differ
def poisson_loss(b, Y, O):
    eta = O + b
    return (jnp.exp(eta) - Y * eta).mean()


@partial(jax.jit, static_argnames="steps")
def fit(Y, O, rate, steps):
    Y, O = Y.astype(jnp.float8_e4m3fn).astype(jnp.float32), O.astype(jnp.float32)

    def step(b, _):
        loss, slope = jax.value_and_grad(poisson_loss)(b, Y, O)
        return b - rate * slope, loss

    return lax.scan(step, jnp.zeros_like(Y[0]), length=steps)

# %% wrong_switches_x64_on
# wrong: switches float64 on, for all programs; exercise: precision; must fail: purity; says: config
def poisson_loss(b, Y, O):
    eta = O + b
    return (jnp.exp(eta) - Y * eta).mean()


@partial(jax.jit, static_argnames="steps")
def run(Y, O, rate, steps):
    def step(b, _):
        loss, slope = jax.value_and_grad(poisson_loss)(b, Y, O)
        return b - rate * slope, loss

    return lax.scan(step, jnp.zeros(Y.shape[1], jnp.float32), length=steps)


def fit(Y, O, rate, steps):
    jax.config.update("jax_default_matmul_precision", "highest")
    return run(Y, O, rate, steps)

# %% wrong_python_loop
# wrong: a loop in Python; exercise: precision; must fail: compilations; says: grow
def poisson_loss(b, Y, O):
    eta = O + b
    return (jnp.exp(eta) - Y * eta).mean()


@partial(jax.jit, static_argnames="steps")
def fit(Y, O, rate, steps):
    b, losses = jnp.zeros(Y.shape[1]), []
    for _ in range(steps):
        loss, slope = jax.value_and_grad(poisson_loss)(b, Y, O)
        b, losses = b - rate * slope, [*losses, loss]
    return b, jnp.stack(losses)

# %% wrong_no_jit
# wrong: not jitted; exercise: precision; must fail: compilations; says: jit
def poisson_loss(b, Y, O):
    eta = O + b
    return (jnp.exp(eta) - Y * eta).mean()


def fit(Y, O, rate, steps):
    def step(b, _):
        loss, slope = jax.value_and_grad(poisson_loss)(b, Y, O)
        return b - rate * slope, loss

    return lax.scan(step, jnp.zeros(Y.shape[1]), length=steps)

# %% starter
# starter: as shipped; exercise: precision; must fail: outputs; says: float32

# %% empty
# empty: nothing in the cell; exercise: precision; must fail: outputs; says: There is no function
