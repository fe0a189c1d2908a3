"""Repairs of the drills of the lesson early_stop."""

# %% starter_count_halvings
# starter: as given; exercise: count_halvings; must fail: outputs; says: TracerBool

# %% right_count_halvings_1
# right: a formula; exercise: count_halvings
@jax.jit
def count_halvings(x):
    return jnp.maximum(0, jnp.ceil(jnp.log2(x))).astype(int)

# %% right_count_halvings_2
# right: the state is a dictionary; exercise: count_halvings
@jax.jit
def count_halvings(x):
    start = {"x": x, "count": jnp.zeros((), jnp.int32)}
    step = lambda s: {"x": 0.5 * s["x"], "count": s["count"] + 1}
    return lax.while_loop(lambda s: s["x"] > 1, step, start)["count"]

# %% wrong_count_halvings_1
# wrong: one too many; exercise: count_halvings; must fail: outputs; says: count_halvings
@jax.jit
def count_halvings(x):
    return lax.while_loop(lambda s: s[0] >= 1, lambda s: (s[0] / 2, s[1] + 1), (x, 0))[1]

# %% wrong_count_halvings_2
# wrong: what is left of x; exercise: count_halvings; must fail: outputs; says: count_halvings
@jax.jit
def count_halvings(x):
    return lax.while_loop(lambda s: s[0] > 1, lambda s: (s[0] / 2, s[1] + 1), (x, 0))[0]

# %% starter_shrink
# starter: as given; exercise: shrink; must fail: outputs; says: shrink

# %% right_shrink_1
# right: a while_loop; exercise: shrink
@jax.jit
def shrink(x, steps):
    go_on = lambda state: state[0] < steps
    return lax.while_loop(go_on, lambda s: (s[0] + 1, s[1] / (s[0] + 2)), (0, x))[1]

# %% right_shrink_2
# right: by a factorial; exercise: shrink
@jax.jit
def shrink(x, steps):
    return x / jnp.exp(jax.scipy.special.gammaln(steps + 2.0))

# %% wrong_shrink_1
# wrong: begins with 1; exercise: shrink; must fail: outputs; says: shrink
@jax.jit
def shrink(x, steps):
    return lax.fori_loop(0, steps, lambda i, x: x / (i + 1), x)

# %% wrong_shrink_2
# wrong: range; exercise: shrink; must fail: outputs; says: Integer
@jax.jit
def shrink(x, steps):
    for i in range(steps):
        x = x / (i + 2)
    return x

# %% starter_average_until
# starter: as given; exercise: average_until; must fail: compilations; says: tolerance

# %% right_average_until
# right: the tolerance in the state; exercise: average_until
@jax.jit
def average_until(x, tolerance):
    def step(state):
        x, tolerance = state
        return 0.5 * x + 0.5 * x.mean(), tolerance

    return lax.while_loop(lambda s: jnp.ptp(s[0]) > s[1], step, (x, tolerance))[0]

# %% wrong_average_until_1
# wrong: one step too many; exercise: average_until; must fail: outputs; says: average_until
@jax.jit
def average_until(x, tolerance):
    step = lambda x: (x + jnp.mean(x)) / 2
    return step(lax.while_loop(lambda x: jnp.ptp(x) > tolerance, step, x))

# %% wrong_average_until_2
# wrong: a Python loop; exercise: average_until; must fail: outputs; says: TracerBool
@jax.jit
def average_until(x, tolerance):
    while jnp.ptp(x) > tolerance:
        x = (x + jnp.mean(x)) / 2
    return x
