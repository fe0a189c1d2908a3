"""Repairs of the drills of the lesson loop_gradients."""

# %% starter_growth_slope
# starter: as given; exercise: growth_slope; must fail: outputs; says: everse

# %% right_growth_slope_1
# right: a scan; exercise: growth_slope
@partial(jax.jit, static_argnums=1)
def growth_slope(x, steps):
    def grown(x):
        return jnp.sum(lax.scan(lambda x, _: (x + 0.1 * x * (1 - x), None), x, length=steps)[0])
    return jax.grad(grown)(x)

# %% right_growth_slope_2
# right: the product of the derivatives, carried along; exercise: growth_slope
@jax.jit
def growth_slope(x, steps):
    def step(_, state):
        x, slope = state
        return x + 0.1 * x * (1 - x), slope * (1.1 - 0.2 * x)
    return lax.fori_loop(0, steps, step, (x, jnp.ones_like(x)))[1]

# %% right_growth_slope_3
# right: forward mode; exercise: growth_slope
@jax.jit
def growth_slope(x, steps):
    def grown(x):
        return lax.fori_loop(0, steps, lambda _, x: x + 0.1 * x * (1 - x), x)
    return jax.jvp(grown, (x,), (jnp.ones_like(x),))[1]

# %% wrong_growth_slope_1
# wrong: a Python loop; exercise: growth_slope; must fail: compilations; says: loop
@partial(jax.jit, static_argnames="steps")
def growth_slope(x, steps):
    def grown(x):
        for _ in range(steps):
            x = x + 0.1 * x * (1 - x)
        return x.sum()
    return jax.grad(grown)(x)

# %% wrong_growth_slope_2
# wrong: the derivative of the last step only; exercise: growth_slope; must fail: outputs; says: growth_slope
@jax.jit
def growth_slope(x, steps):
    x = lax.fori_loop(0, steps - 1, lambda _, x: x + 0.1 * x * (1 - x), x)
    return jax.grad(lambda x: (x + 0.1 * x * (1 - x)).sum())(x)

# %% starter_cube_root_slope
# starter: as given; exercise: cube_root_slope; must fail: outputs; says: cube_root_slope

# %% right_cube_root_slope_1
# right: JAX's own root; exercise: cube_root_slope
@jax.jit
def cube_root_slope(a, weights):
    return jax.grad(lambda a: jnp.sum(weights * jnp.cbrt(a)))(a)

# %% right_cube_root_slope_2
# right: one step more, whose derivative is right; exercise: cube_root_slope
def cube_root(a):
    closer = lambda x: (2 * x + lax.stop_gradient(a) / x**2) / 3
    start = lax.stop_gradient(jnp.maximum(a, 1))
    x = lax.stop_gradient(lax.fori_loop(0, 40, lambda _, x: closer(x), start))
    return (2 * x + a / x**2) / 3

@jax.jit
def cube_root_slope(a, weights):
    return jax.grad(lambda a: jnp.sum(weights * cube_root(a)))(a)

# %% wrong_cube_root_slope_1
# wrong: the derivative of a square root; exercise: cube_root_slope; must fail: outputs; says: cube_root_slope
@jax.jit
def cube_root_slope(a, weights):
    return weights / (2 * jnp.cbrt(a))

# %% wrong_cube_root_slope_2
# wrong: not a tuple; exercise: cube_root_slope; must fail: outputs; says: tuple
@jax.custom_vjp
def cube_root(a):
    return jnp.cbrt(a)

def cube_root_backward(x, cotangent):
    return cotangent / (3 * x**2)

cube_root.defvjp(lambda a: (jnp.cbrt(a), jnp.cbrt(a)), cube_root_backward)

@jax.jit
def cube_root_slope(a, weights):
    return jax.grad(lambda a: jnp.sum(weights * cube_root(a)))(a)

# %% starter_drift_slope
# starter: as given; exercise: drift_slope; must fail: memory; says: MiB

# %% right_drift_slope_1
# right: `jax.remat`, around a fori_loop's body; exercise: drift_slope
@partial(jax.jit, static_argnums=1)
def drift_slope(x, steps):
    body = jax.remat(lambda x: x + 0.1 * jnp.sin(jnp.exp(-x * x)))
    return jax.grad(lambda x: jnp.sum(lax.fori_loop(0, steps, lambda _, x: body(x), x)))(x)

# %% right_drift_slope_2
# right: forward mode keeps nothing; exercise: drift_slope
@jax.jit
def drift_slope(x, steps):
    step = lambda x: x + 0.1 * jnp.sin(jnp.exp(-x * x))
    move = lambda _, state: jax.jvp(step, (state[0],), (state[1],))
    return lax.fori_loop(0, steps, move, (x, jnp.ones_like(x)))[1]

# %% wrong_drift_slope_1
# wrong: around the whole; exercise: drift_slope; must fail: memory; says: MiB
@partial(jax.jit, static_argnames="steps")
def drift_slope(x, steps):
    def body(x, _):
        return x + 0.1 * jnp.sin(jnp.exp(-x * x)), None

    return jax.grad(jax.checkpoint(lambda x: lax.scan(body, x, length=steps)[0].sum()))(x)

# %% wrong_drift_slope_2
# wrong: the gradient is stopped; exercise: drift_slope; must fail: outputs; says: drift_slope
@partial(jax.jit, static_argnames="steps")
def drift_slope(x, steps):
    def body(x, _):
        return x + 0.1 * jnp.sin(lax.stop_gradient(jnp.exp(-x * x))), None

    return jax.grad(lambda x: lax.scan(body, x, length=steps)[0].sum())(x)
