"""Repairs of the drills of the lesson slow_compile."""

# %% starter_spread
# starter: as given; exercise: spread; must fail: compilations; says: loop

# %% right_spread_1
# right: a scan; exercise: spread
@partial(jax.jit, static_argnums=2)
def spread(moves, shares, steps):
    return jax.lax.scan(lambda now, _: (moves @ now, None), shares, length=steps)[0]

# %% right_spread_2
# right: traced steps; exercise: spread
@jax.jit
def spread(moves, shares, steps):
    def move(state):
        i, shares = state
        return i + 1, jnp.dot(moves, shares)
    return jax.lax.while_loop(lambda state: state[0] < steps, move, (0, shares))[1]

# %% wrong_spread_1
# wrong: no jit; exercise: spread; must fail: compilations; says: jit
def spread(moves, shares, steps):
    for _ in range(steps):
        shares = moves @ shares
    return shares

# %% wrong_spread_2
# wrong: one step too few; exercise: spread; must fail: outputs; says: spread
@partial(jax.jit, static_argnames="steps")
def spread(moves, shares, steps):
    return jax.lax.fori_loop(1, steps, lambda _, shares: moves @ shares, shares)

# %% wrong_spread_3
# wrong: the transpose; exercise: spread; must fail: outputs; says: spread
@partial(jax.jit, static_argnames="steps")
def spread(moves, shares, steps):
    return jax.lax.fori_loop(0, steps, lambda _, shares: shares @ moves, shares)

# %% starter_rates
# starter: as given; exercise: rates; must fail: compilations; says: compile

# %% right_rates_1
# right: both in the jitted partial's stead; exercise: rates
@jax.jit
def divide(depths, Y):
    return Y / depths[:, None]

def rates(Y, depths):
    return divide(depths, Y)

# %% right_rates_2
# right: jitted once, a lambda; exercise: rates
rates = jax.jit(lambda Y, depths: jnp.divide(Y.T, depths).T)

# %% wrong_rates_1
# wrong: a lambda at each call; exercise: rates; must fail: compilations; says: compile
def rates(Y, depths):
    return jax.jit(lambda Y: Y / depths[:, None])(Y)

# %% wrong_rates_2
# wrong: no jit; exercise: rates; must fail: compilations; says: jit
def rates(Y, depths):
    return Y / depths[:, None]

# %% wrong_rates_3
# wrong: the mean depth; exercise: rates; must fail: outputs; says: rates
@jax.jit
def rates(Y, depths):
    return Y / depths.mean()

# %% starter_centered_logs
# starter: as given; exercise: centered_logs; must fail: compilations; says: compile

# %% right_centered_logs
# right: an inner function with an argument, outside; exercise: centered_logs
@jax.jit
def work(logs):
    return logs - jnp.mean(logs, axis=0, keepdims=True)

@jax.jit
def centered_logs(Y):
    return work(jnp.log1p(Y))

# %% wrong_centered_logs_1
# wrong: an argument, but still made anew; exercise: centered_logs; must fail: compilations; says: compile
def centered_logs(Y):
    @jax.jit
    def work(Y):
        logs = jnp.log(Y + 1)
        return logs - logs.mean(axis=0)

    return work(Y)

# %% wrong_centered_logs_2
# wrong: the mean of all; exercise: centered_logs; must fail: outputs; says: centered_logs
@jax.jit
def centered_logs(Y):
    logs = jnp.log(Y + 1)
    return logs - logs.mean()
