"""Repairs of the drills of the lesson recompile_hunt."""

# %% starter_standardise
# starter: as given; exercise: standardise; must fail: compilations; says: jit

# %% right_standardise
# right: jitted once, called by a plain function; exercise: standardise
@jax.jit
def centre_and_scale(Y):
    return (Y - jnp.mean(Y)) / (jnp.std(Y) + 1)

def standardise(Y):
    return centre_and_scale(Y)

# %% wrong_standardise_1
# wrong: a lambda at each call; exercise: standardise; must fail: compilations; says: jit
def standardise(Y):
    return jax.jit(lambda Y: (Y - Y.mean()) / (Y.std() + 1))(Y)

# %% wrong_standardise_2
# wrong: no jit; exercise: standardise; must fail: compilations; says: jit
def standardise(Y):
    return (Y - Y.mean()) / (Y.std() + 1)

# %% wrong_standardise_3
# wrong: by column; exercise: standardise; must fail: outputs; says: standardise
standardise = jax.jit(lambda Y: (Y - Y.mean(axis=0)) / (Y.std(axis=0) + 1))

# %% starter_sum_of_logs
# starter: as given; exercise: sum_of_logs; must fail: compilations; says: compile

# %% right_sum_of_logs_1
# right: JAX's own function; exercise: sum_of_logs
def sum_of_function(function, Y):
    return jnp.sum(function(Y))

sum_of = jax.jit(sum_of_function, static_argnums=0)

def sum_of_logs(Y):
    return sum_of(jnp.log1p, Y)

# %% right_sum_of_logs_2
# right: one jitted function; exercise: sum_of_logs
sum_of_logs = jax.jit(lambda Y: jnp.log(Y + 1).sum())

# %% wrong_sum_of_logs_1
# wrong: a partial at each call; exercise: sum_of_logs; must fail: compilations; says: compile
from functools import partial

def sum_of_function(function, Y):
    return jnp.sum(function(Y))

sum_of = jax.jit(sum_of_function, static_argnums=0)

def log_of(more, Y):
    return jnp.log(Y + more)

def sum_of_logs(Y):
    return sum_of(partial(log_of, 1), Y)

# %% wrong_sum_of_logs_2
# wrong: the logarithm of the sum; exercise: sum_of_logs; must fail: outputs; says: sum_of_logs
sum_of_logs = jax.jit(lambda Y: jnp.log(Y.sum() + 1))

# %% starter_shift_all
# starter: as given; exercise: shift_all; must fail: compilations; says: static value

# %% right_shift_all
# right: an array is made of it; exercise: shift_all
@jax.jit
def log_and_shift(y, by):
    return jnp.log1p(y) + by

def shift_all(y, by):
    return log_and_shift(y, np.float32(by))

# %% wrong_shift_all_1
# wrong: closed over; exercise: shift_all; must fail: compilations; says: jit
def shift_all(y, by):
    return jax.jit(lambda y: jnp.log(y + 1) + by)(y)

# %% wrong_shift_all_2
# wrong: not added; exercise: shift_all; must fail: outputs; says: shift_all
shift_all = jax.jit(lambda y, by: jnp.log(y + 1))
