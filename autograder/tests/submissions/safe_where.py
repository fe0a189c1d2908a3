"""Repairs of the lesson safe_where, right and wrong, its starters and empty cells."""

# %% right_double_where
# right: where before and after; exercise: safe_where
@jax.jit
def log_factorial(y):
    safe = jnp.where(y > 0, y, 2.0)
    return jnp.where(y > 0, 0.5 * jnp.log(2 * jnp.pi * safe) + safe * jnp.log(safe) - safe, 0.0)

# %% right_gammaln
# right: exact, without Stirling; exercise: safe_where
@jax.jit
def log_factorial(y):
    return jax.scipy.special.gammaln(y + 1)

# %% right_helper
# right: the formula in a helper of one count, mapped; exercise: safe_where
def stirling(y):
    return 0.5 * jnp.log(2 * jnp.pi * y) + y * jnp.log(y / jnp.e)


@jax.jit
def log_factorial(y):
    one = jnp.ones_like(y)
    return jnp.where(y == 0, 0, stirling(jnp.where(y == 0, one, y)))

# %% right_masked_after
# right: a safe argument, masked by multiplication; exercise: safe_where
@jax.jit
def log_factorial(y):
    safe = jnp.where(y == 0, 1.0, y)
    return (y > 0) * (0.5 * jnp.log(2 * jnp.pi * safe) + safe * jnp.log(safe) - safe)

# %% right_one_term
# right: Stirling's formula with its first correction, which is better, from above; exercise: safe_where
@jax.jit
def log_factorial(y):
    safe = jnp.where(y == 0, 1.0, y)
    stirling = 0.5 * jnp.log(2 * jnp.pi * safe) + safe * jnp.log(safe) - safe
    return jnp.where(y == 0, 0.0, stirling + 1 / (12 * safe))

# %% right_recurrence
# right: a series further out, and back by recurrence; exercise: safe_where
@jax.jit
def log_factorial(y):
    # Stirling at y + 2, less log((y + 1)(y + 2)); with one correction term
    x = y + 2
    return (
        0.5 * jnp.log(2 * jnp.pi * x)
        + x * jnp.log(x)
        - x
        + 1 / (12 * x)
        - 1 / (360 * x**3)
        + 1 / (1260 * x**5)
        - jnp.log(y + 1)
        - jnp.log(y + 2)
    )

# %% right_series
# right: one more term of Stirling's series; exercise: safe_where
@jax.jit
def log_factorial(y):
    safe = jnp.where(y == 0, 1.0, y)
    stirling = 0.5 * jnp.log(2 * jnp.pi * safe) + safe * jnp.log(safe) - safe
    return jax.lax.select(
        y == 0, jnp.zeros_like(y), stirling + 1 / (12 * safe) - 1 / (360 * safe**3)
    )

# %% right_three_terms
# right: three terms of Stirling's series; exercise: safe_where
@jax.jit
def log_factorial(y):
    safe = jnp.where(y == 0, 1.0, y)
    stirling = 0.5 * jnp.log(2 * jnp.pi * safe) + safe * jnp.log(safe) - safe
    series = 1 / (12 * safe) - 1 / (360 * safe**3) + 1 / (1260 * safe**5)
    return jnp.where(y == 0, 0.0, stirling + series)

# %% right_xlogy
# right: xlogy of a safe argument; exercise: safe_where
@jax.jit
def log_factorial(y):
    zero = y == 0
    safe = y + zero
    part = jax.scipy.special.xlogy(safe, safe) - safe
    return jnp.where(zero, 0.0, part + 0.5 * jnp.log(2 * jnp.pi * safe))

# %% wrong_adds_epsilon
# wrong: adds a small number to the count; exercise: safe_where; must fail: outputs; says: a second `where` after it
@jax.jit
def log_factorial(y):
    y = y + 1e-8
    return 0.5 * jnp.log(2 * jnp.pi * y) + y * jnp.log(y) - y

# %% wrong_factorial
# wrong: the factorial itself, which overflows; exercise: safe_where; must fail: outputs; says: float32 ends
@jax.jit
def log_factorial(y):
    return jnp.log(jax.scipy.special.factorial(y))

# %% wrong_half_safe
# wrong: one of the logarithms still sees the zero; exercise: safe_where; must fail: outputs; says: the gradient is nan
@jax.jit
def log_factorial(y):
    safe = jnp.where(y == 0, 1.0, y)
    stirling = 0.5 * jnp.log(2 * jnp.pi * y) + safe * jnp.log(safe) - safe
    return jnp.where(y == 0, 0.0, stirling)

# %% wrong_if
# wrong: a Python if on an array; exercise: safe_where; must fail: outputs; says: a whole array of them
@jax.jit
def log_factorial(y):
    if y == 0:
        return 0.0
    return 0.5 * jnp.log(2 * jnp.pi * y) + y * jnp.log(y) - y

# %% wrong_if_any_zero
# wrong: a Python branch on the data; exercise: safe_where; must fail: outputs; says: TracerBoolConversionError
@jax.jit
def log_factorial(y):
    if (y == 0).any():
        y = jnp.where(y == 0, 1.0, y)
    return 0.5 * jnp.log(2 * jnp.pi * y) + y * jnp.log(y) - y

# %% wrong_keeps_zeros
# wrong: keeps the mask in a global; exercise: safe_where; must fail: purity; says: mask
mask = None


@jax.jit
def log_factorial(y):
    global mask
    mask = y == 0
    safe = jnp.where(mask, 1.0, y)
    return jnp.where(mask, 0.0, 0.5 * jnp.log(2 * jnp.pi * safe) + safe * jnp.log(safe) - safe)

# %% wrong_kept_by_identity
# wrong: results kept by the identity of y; exercise: safe_where; must fail: purity; says: known
known = {}


@jax.jit
def compute(y):
    safe = jnp.where(y == 0, 1.0, y)
    stirling = 0.5 * jnp.log(2 * jnp.pi * safe) + safe * jnp.log(safe) - safe
    return jnp.where(y == 0, 0.0, stirling)


def log_factorial(y):
    if id(y) not in known:
        known[id(y)] = y, compute(y)
    return known[id(y)][1]

# %% wrong_maximum
# wrong: maximum shares the gradient at 1; exercise: safe_where; must fail: outputs; says: each gets half
@jax.jit
def log_factorial(y):
    safe = jnp.maximum(y, 1.0)
    return jnp.where(y == 0, 0.0, 0.5 * jnp.log(2 * jnp.pi * safe) + safe * jnp.log(safe) - safe)

# %% wrong_maximum_of_zero
# wrong: half a slope at zero, from a tie; exercise: safe_where; must fail: outputs; says: half a slope
@jax.jit
def log_factorial(y):
    return jax.scipy.special.gammaln(jnp.maximum(y, 0) + 1)

# %% wrong_multiplies
# wrong: masks by multiplication; exercise: safe_where; must fail: outputs; says: the gradient is nan
@jax.jit
def log_factorial(y):
    return (y > 0) * (0.5 * jnp.log(2 * jnp.pi * y) + y * jnp.log(y) - y)

# %% wrong_nan_to_num
# wrong: replaces NaN and infinity in the result; exercise: safe_where; must fail: outputs; says: hides the bad value and not its slope
@jax.jit
def log_factorial(y):
    return jnp.nan_to_num(
        0.5 * jnp.log(2 * jnp.pi * y) + y * jnp.log(y) - y, posinf=0.0, neginf=0.0
    )

# %% wrong_no_jit
# wrong: the decorator is gone; exercise: safe_where; must fail: compilations; says: one jax.jit
def log_factorial(y):
    safe = jnp.where(y == 0, 1.0, y)
    return jnp.where(y == 0, 0.0, 0.5 * jnp.log(2 * jnp.pi * safe) + safe * jnp.log(safe) - safe)

# %% wrong_no_square_root
# wrong: forgets the first term; exercise: safe_where; must fail: outputs; says: by Stirling
@jax.jit
def log_factorial(y):
    safe = jnp.where(y == 0, 1.0, y)
    return jnp.where(y == 0, 0.0, safe * jnp.log(safe) - safe)

# %% wrong_one_where
# wrong: the starter's where, turned round; exercise: safe_where; must fail: outputs; says: the gradient is nan
@jax.jit
def log_factorial(y):
    return jnp.where(y > 0, 0.5 * jnp.log(2 * jnp.pi * y) + y * jnp.log(y) - y, 0.0)

# %% wrong_powers_of_the_oaks
# wrong: a gradient that is right for counts up to the largest of the oaks; exercise: safe_where; must fail: outputs; says: at y =
@jax.jit
def log_factorial(y):
    safe = jnp.where(y == 0, 1.0, y)
    inside = jnp.minimum(safe, 2228.0)
    stirling = 0.5 * jnp.log(2 * jnp.pi * inside) + inside * jnp.log(inside) - inside
    return jnp.where(y == 0, 0.0, stirling)

# %% wrong_room_for_the_oaks
# wrong: room for the entries of the oaks; exercise: safe_where; must fail: outputs; says: different sizes
@jax.jit
def log_factorial(y):
    room = jnp.ones(116 * 114).at[: y.size].set(jnp.where(y == 0, 1.0, y).ravel())
    stirling = 0.5 * jnp.log(2 * jnp.pi * room) + room * jnp.log(room) - room
    return jnp.where(y == 0, 0.0, stirling[: y.size].reshape(y.shape))

# %% wrong_scipy
# wrong: SciPy on a tracer; exercise: safe_where; must fail: outputs; says: Use `jax.numpy`
import scipy.special


@jax.jit
def log_factorial(y):
    return scipy.special.gammaln(y + 1)

# %% wrong_selects
# wrong: selects the positive counts; exercise: safe_where; must fail: outputs; says: must be known when compiling
@jax.jit
def log_factorial(y):
    y = y[y > 0]
    return 0.5 * jnp.log(2 * jnp.pi * y) + y * jnp.log(y) - y

# %% wrong_stop_gradient
# wrong: stops the gradient everywhere; exercise: safe_where; must fail: outputs; says: the slope of log y! is
@jax.jit
def log_factorial(y):
    safe = jax.lax.stop_gradient(jnp.where(y == 0, 1.0, y))
    return jnp.where(y == 0, 0.0, 0.5 * jnp.log(2 * jnp.pi * safe) + safe * jnp.log(safe) - safe)

# %% wrong_sums
# wrong: returns the sum; exercise: safe_where; must fail: outputs; says: one array of log-factorials
@jax.jit
def log_factorial(y):
    return jax.scipy.special.gammaln(y + 1).sum()

# %% wrong_table
# wrong: a table, looked up by an integer; exercise: safe_where; must fail: outputs; says: flows back through an index
@jax.jit
def log_factorial(y):
    table = jnp.cumsum(jnp.log(jnp.maximum(jnp.arange(1000), 1)))
    return table[y.astype(int)]

# %% wrong_tutorials_trick
# wrong: 1 in the place of 0, and nothing after; exercise: safe_where; must fail: outputs; says: because 0! is 1
@jax.jit
def log_factorial(y):
    y = y + (y == 0)
    return 0.5 * jnp.log(2 * jnp.pi * y) + y * jnp.log(y) - y

# %% wrong_vmap_needs_an_axis
# wrong: one count under vmap, which an array without axes does not have; exercise: safe_where; must fail: outputs; says: vmap
def of_one(y):
    safe = jnp.where(y == 0, 1.0, y)
    return jnp.where(y == 0, 0.0, 0.5 * jnp.log(2 * jnp.pi * safe) + safe * jnp.log(safe) - safe)


@jax.jit
def log_factorial(y):
    return jax.vmap(of_one)(y)

# %% wrong_xlogy_alone
# wrong: the slope of xlogy(y, y) at 0 is not finite; exercise: safe_where; must fail: outputs; says: the gradient is nan
@jax.jit
def log_factorial(y):
    safe = jnp.where(y == 0, 1.0, y)
    part = jax.scipy.special.xlogy(y, y) - y
    return jnp.where(y == 0, 0.0, 0.5 * jnp.log(2 * jnp.pi * safe)) + part

# %% starter
# starter: as shipped; exercise: safe_where; must fail: outputs; says: the gradient is nan at y = 0

# %% empty
# empty: nothing in the cell; exercise: safe_where; must fail: outputs; says: There is no function
