"""Repairs of the drills of the lesson debugging."""

# %% starter_log_depths
# starter: as given; exercise: log_depths; must fail: outputs; says: throw

# %% right_log_depths_1
# right: a test in the program, raised outside; exercise: log_depths
@jax.jit
def logs_and_test(depths):
    return jnp.log(depths), jnp.all(depths > 0)


def log_depths(depths):
    logs, is_good = logs_and_test(depths)
    if not is_good:
        raise ValueError("a depth is not above zero")
    return logs

# %% right_log_depths_2
# right: a test in NumPy before; exercise: log_depths
take_logs = jax.jit(jnp.log)


def log_depths(depths):
    if np.min(depths) <= 0:
        raise ValueError("a depth is not above zero")
    return take_logs(depths)

# %% right_log_depths_3
# right: checkify's own word; exercise: log_depths
@jax.jit
@checkify.checkify
def checked_logs(depths):
    checkify.check(jnp.min(depths) > 0, "depth {d}", d=depths.min())
    return jnp.log(depths)


def log_depths(depths):
    error, logs = checked_logs(depths)
    checkify.check_error(error)
    return logs

# %% wrong_log_depths_1
# wrong: thrown away again; exercise: log_depths; must fail: outputs; says: throw
@jax.jit
@checkify.checkify
def checked_logs(depths):
    checkify.check((depths > 0).all(), "a depth is not above zero")
    return jnp.log(depths)


def log_depths(depths):
    error, logs = checked_logs(depths)
    error.get()
    return logs

# %% wrong_log_depths_2
# wrong: negative depths only; exercise: log_depths; must fail: outputs; says: throw
@jax.jit
@checkify.checkify
def checked_logs(depths):
    checkify.check((depths >= 0).all(), "a depth is below zero")
    return jnp.log(depths)


def log_depths(depths):
    error, logs = checked_logs(depths)
    error.throw()
    return logs

# %% wrong_log_depths_3
# wrong: checkified at each call; exercise: log_depths; must fail: compilations; says: compile
def logs_of(depths):
    checkify.check((depths > 0).all(), "a depth is not above zero")
    return jnp.log(depths)


def log_depths(depths):
    error, logs = jax.jit(checkify.checkify(lambda d: logs_of(d)))(depths)
    error.throw()
    return logs

# %% starter_first_missing
# starter: as given; exercise: first_missing; must fail: outputs; says: first_missing

# %% right_first_missing_1
# right: nonzero with a size; exercise: first_missing
@jax.jit
def first_missing(y):
    return jnp.nonzero(jnp.isnan(y), size=1, fill_value=-1)[0][0]

# %% right_first_missing_2
# right: the smallest index; exercise: first_missing
@jax.jit
def first_missing(y):
    first = jnp.min(jnp.where(jnp.isnan(y), jnp.arange(y.size), y.size))
    return jnp.where(first == y.size, -1, first)

# %% wrong_first_missing_1
# wrong: compared with NaN; exercise: first_missing; must fail: outputs; says: first_missing
@jax.jit
def first_missing(y):
    missing = y == jnp.nan
    return jnp.where(missing.any(), jnp.argmax(missing), -1)

# %% wrong_first_missing_2
# wrong: an if; exercise: first_missing; must fail: outputs; says: `if`
@jax.jit
def first_missing(y):
    missing = jnp.isnan(y)
    return jnp.argmax(missing) if missing.any() else -1

# %% wrong_first_missing_3
# wrong: looks among the leaves of the oaks; exercise: first_missing; must fail: outputs; says: first_missing
@jax.jit
def first_missing(y):
    missing = jnp.isnan(y[:116])
    return jnp.where(missing.any(), jnp.argmax(missing), -1)
