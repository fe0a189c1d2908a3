"""Repairs of the drills of the lesson jitted_step."""

# %% starter_fix_first_row
# starter: as given; exercise: fix_first_row; must fail: outputs; says: .at[

# %% right_fix_first_row
# right: where; exercise: fix_first_row
@jax.jit
def fix_first_row(M, value):
    return jnp.where(jnp.arange(len(M))[:, None] == 0, value, M)

# %% wrong_fix_first_row_1
# wrong: the result is not used; exercise: fix_first_row; must fail: outputs; says: fix_first_row
@jax.jit
def fix_first_row(M, value):
    M.at[0].set(value)
    return M

# %% wrong_fix_first_row_2
# wrong: the first column; exercise: fix_first_row; must fail: outputs; says: fix_first_row
@jax.jit
def fix_first_row(M, value):
    return M.at[:, 0].set(value)

# %% starter_slope_in_rate
# starter: as given; exercise: slope_in_rate; must fail: outputs; says: slope_in_rate

# %% right_slope_in_rate_1
# right: by hand; exercise: slope_in_rate
@jax.jit
def slope_in_rate(counts, rate):
    return jnp.sum(counts / rate - 1)

# %% right_slope_in_rate_2
# right: a function of the rate alone; exercise: slope_in_rate
@jax.jit
def slope_in_rate(counts, rate):
    return jax.grad(lambda r: jnp.sum(counts * jnp.log(r) - r))(rate)

# %% wrong_slope_in_rate_1
# wrong: both arguments; exercise: slope_in_rate; must fail: outputs; says: slope_in_rate
def loglik(counts, rate):
    return jnp.sum(counts * jnp.log(rate) - rate)


slope_in_rate = jax.jit(jax.grad(loglik, argnums=(0, 1)))

# %% wrong_slope_in_rate_2
# wrong: not jitted; exercise: slope_in_rate; must fail: compilations; says: jit
def loglik(counts, rate):
    return jnp.sum(counts * jnp.log(rate) - rate)


slope_in_rate = jax.grad(loglik, argnums=1)

# %% starter_climb
# starter: as given; exercise: climb; must fail: purity; says: changes its content

# %% right_climb_1
# right: tree.map; exercise: climb
@jax.jit
def climb(params, gradient, rate):
    return jax.tree.map(lambda value, slope: value + rate * slope, params, gradient)

# %% right_climb_2
# right: a copy inside of jit; exercise: climb
@jax.jit
def climb(params, gradient, rate):
    params = dict(params)
    for name, slope in gradient.items():
        params[name] += rate * slope
    return params

# %% wrong_climb_1
# wrong: downwards; exercise: climb; must fail: outputs; says: climb
@jax.jit
def climb(params, gradient, rate):
    return jax.tree.map(lambda value, slope: value - rate * slope, params, gradient)

# %% wrong_climb_2
# wrong: one parameter only; exercise: climb; must fail: outputs; says: climb
@jax.jit
def climb(params, gradient, rate):
    return params | {"B": params["B"] + rate * gradient["B"]}

# %% right_climb_3
# right: a new dictionary, leaf by leaf; exercise: climb
def climb(params, gradient, rate):
    return {name: step_along(params[name], gradient[name], rate) for name in params}


@jax.jit
def step_along(value, slope, rate):
    return value + rate * slope

# %% right_climb_4
# right: a float before the program; exercise: climb
@jax.jit
def stepped(params, gradient, rate):
    return jax.tree.map(lambda value, slope: value + rate * slope, params, gradient)


def climb(params, gradient, rate):
    return stepped(params, gradient, float(rate))

# %% wrong_climb_3
# wrong: pairs in place of the dictionary; exercise: climb; must fail: outputs; says: arrays at
@jax.jit
def climb(params, gradient, rate):
    return [(name, params[name] + rate * gradient[name])[1] for name in sorted(params)]
