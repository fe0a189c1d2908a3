"""Repairs of the ten puzzles, right and wrong, their starters and empty cells."""

# %% right_flip_partial
# right: partial, by name; exercise: flip
from functools import partial


@partial(jax.jit, static_argnames=["on"])
def flip(x, on):
    if on:
        return x[::-1]
    return x

# %% right_flip_position
# right: jit called on a lambda, the flag by its position; exercise: flip
flip = jax.jit(lambda x, on: jnp.flip(x) if on else x, static_argnums=1)

# %% right_flip_where
# right: the flag stays traced; exercise: flip
@jax.jit
def flip(x, on):
    return jnp.where(on, x[::-1], x)

# %% right_flip_cond
# right: lax.cond with operand; exercise: flip
from jax import lax


@jax.jit
def flip(x, on):
    return lax.cond(on, lambda v: v[::-1], lambda v: v, x)

# %% right_flip_places
# right: chooses the places and not the numbers; exercise: flip
@jax.jit
def flip(x, on):
    i = jnp.arange(x.size)
    return x[jnp.where(on, x.size - 1 - i, i)]

# %% right_flip_step
# right: the step of the slice; exercise: flip
@jax.jit(static_argnums=(1,))
def flip(x, on):
    return x[:: -1 if on else 1]

# %% right_flip_two_programs
# right: a plain function that calls one of two jitted ones; exercise: flip
@jax.jit
def backward(x):
    return x[::-1]


@jax.jit
def forward(x):
    return x


def flip(x, on):
    return backward(x) if on else forward(x)

# %% wrong_flip_swapped
# wrong: the other way round; exercise: flip; must fail: outputs; says: another order
@jax.jit(static_argnames="on")
def flip(x, on):
    return x if on else x[::-1]

# %% wrong_flip_sorts
# wrong: sorts, largest first; exercise: flip; must fail: outputs; says: another order
@jax.jit(static_argnames="on")
def flip(x, on):
    return jnp.sort(x)[::-1] if on else x

# %% wrong_flip_always
# wrong: no branch any more; exercise: flip; must fail: outputs; says: False): result
@jax.jit
def flip(x, on):
    return x[::-1]

# %% wrong_flip_bool
# wrong: bool() of a tracer; exercise: flip; must fail: outputs; says: `on` is a tracer
@jax.jit
def flip(x, on):
    on = bool(on)
    return x[::-1] if on else x

# %% wrong_flip_is_true
# wrong: a tracer is never True itself; exercise: flip; must fail: outputs; says: True): result
@jax.jit
def flip(x, on):
    return x[::-1] if on is True else x

# %% wrong_flip_static_data
# wrong: all arguments static; exercise: flip; must fail: outputs; says: `x` is static, but holds an array
@jax.jit(static_argnums=(0, 1))
def flip(x, on):
    return x[::-1] if on else x

# %% wrong_flip_wrong_name
# wrong: makes x static by its name; exercise: flip; must fail: outputs; says: `x` is static, but holds an array
@jax.jit(static_argnames="x")
def flip(x, on):
    return x[::-1] if on else x

# %% wrong_flip_no_jit
# wrong: jit taken away; exercise: flip; must fail: compilations; says: outside jit (rev)
def flip(x, on):
    return x[::-1] if on else x

# %% wrong_flip_jit_inside
# wrong: jitted at each call; exercise: flip; must fail: compilations; says: compiled again
def flip(x, on):
    turn = jax.jit(lambda v: v[::-1] if on else v)
    return turn(x)

# %% wrong_flip_says_so
# wrong: prints what it does; exercise: flip; must fail: purity; says: print() is called
@jax.jit(static_argnames="on")
def flip(x, on):
    print("flip" if on else "flop")
    return x[::-1] if on else x

# %% wrong_flip_counts
# wrong: counts its flips; exercise: flip; must fail: purity; says: `flips` changes
flips = 0


@jax.jit(static_argnames="on")
def flip(x, on):
    global flips
    flips += on
    return x[::-1] if on else x

# %% wrong_flip_step_of_tracer
# wrong: a traced step; exercise: flip; must fail: outputs; says: Slice entries must be static
@jax.jit
def flip(x, on):
    return x[:: 1 - 2 * on]

# %% wrong_flip_no_operand
# wrong: lax.cond without what its functions take; exercise: flip; must fail: outputs; says: missing 1 required positional argument
@jax.jit
def flip(x, on):
    return jax.lax.cond(on, lambda x: x[::-1], lambda x: x)

# %% wrong_flip_donates
# wrong: takes the caller's memory; exercise: flip; must fail: purity; says: the array `x` is deleted
@jax.jit(static_argnames="on", donate_argnames="x")
def flip(x, on):
    return x[::-1] if on else x

# %% right_sunny_cond
# right: lax.cond of closures; exercise: sunny
@jax.jit
def sunny(x):
    return jax.lax.cond(x[0] > 0, lambda: x, lambda: -x)

# %% right_sunny_factor
# right: a factor of 1 or -1; exercise: sunny
@jax.jit
def sunny(x):
    return x * jnp.where(x[0] > 0, 1, -1)

# %% right_sunny_select
# right: lax.select; exercise: sunny
sunny = jax.jit(lambda x: jax.lax.select(x[0] > 0, x, -x))

# %% right_sunny_arithmetic
# right: a factor made of the test; exercise: sunny
@jax.jit
def sunny(x):
    is_positive = x[0] > 0
    return (2 * is_positive - 1.0) * x

# %% right_sunny_table
# right: both signs, and one of them is taken; exercise: sunny
@jax.jit
def sunny(x):
    both = jnp.stack([-x, x])
    return both[(x[0] > 0).astype(int)]

# %% right_sunny_switch
# right: lax.switch; exercise: sunny
@jax.jit
def sunny(x):
    return jax.lax.switch(jnp.int32(x[0] > 0), [jnp.negative, lambda v: v], x)

# %% right_sunny_jnp_select
# right: jnp.select; exercise: sunny
@jax.jit
def sunny(x):
    first = x[0]
    return jnp.select([first > 0, first <= 0], [x, -x])

# %% wrong_sunny_each
# wrong: each entry for itself; exercise: sunny; must fail: outputs; says: values differ
@jax.jit
def sunny(x):
    return jnp.where(x > 0, x, -x)

# %% wrong_sunny_sign
# wrong: the sign of 0 is 0; exercise: sunny; must fail: outputs; says: result[1] is 0
@jax.jit
def sunny(x):
    return jnp.sign(x[0]) * x

# %% wrong_sunny_zero
# wrong: takes 0 for positive; exercise: sunny; must fail: outputs; says: The sign is wrong everywhere
@jax.jit
def sunny(x):
    return jnp.where(x[0] >= 0, x, -x)

# %% wrong_sunny_sum
# wrong: looks at the sum; exercise: sunny; must fail: outputs; says: The sign is wrong everywhere
@jax.jit
def sunny(x):
    return jnp.where(x.sum() > 0, x, -x)

# %% wrong_sunny_last
# wrong: looks at the last entry; exercise: sunny; must fail: outputs; says: The sign is wrong everywhere
@jax.jit
def sunny(x):
    return jax.lax.cond(x[-1] > 0, lambda v: v, jnp.negative, x)

# %% wrong_sunny_static
# wrong: the data are static; exercise: sunny; must fail: outputs; says: `x` is static, but holds an array
@jax.jit(static_argnames="x")
def sunny(x):
    return x if x[0] > 0 else -x

# %% wrong_sunny_float
# wrong: float() of a tracer; exercise: sunny; must fail: outputs; says: number is needed here
@jax.jit
def sunny(x):
    first = float(x[0])
    return x if first > 0 else -x

# %% wrong_sunny_and_or
# wrong: and, or in place of if; exercise: sunny; must fail: outputs; says: comes from data
@jax.jit
def sunny(x):
    return (x[0] > 0 and x) or -x

# %% wrong_sunny_values
# wrong: lax.cond of arrays; exercise: sunny; must fail: outputs; says: should be callable
@jax.jit
def sunny(x):
    return jax.lax.cond(x[0] > 0, x, -x)

# %% wrong_sunny_no_jit
# wrong: jit taken away; exercise: sunny; must fail: outputs, compilations; says: not under `jax.jit`
def sunny(x):
    return x if x[0] > 0 else -x

# %% wrong_sunny_eager
# wrong: right, and not jitted; exercise: sunny; must fail: compilations; says: operations outside jit
def sunny(x):
    return jnp.where(x[0] > 0, x, -x)

# %% wrong_sunny_jit_inside
# wrong: a new jitted function at each call; exercise: sunny; must fail: compilations; says: compiled again
def sunny(x):
    @jax.jit
    def choose(v):
        return jnp.where(v[0] > 0, v, -v)

    return choose(x)

# %% wrong_sunny_numpy
# wrong: NumPy's where; exercise: sunny; must fail: outputs; says: NumPy function was applied to a traced value
@jax.jit
def sunny(x):
    return np.where(x[0] > 0, x, -x)

# %% wrong_sunny_half
# wrong: the dark side is 0; exercise: sunny; must fail: outputs; says: zero everywhere
@jax.jit
def sunny(x):
    return jnp.where(x[0] > 0, x, 0)

# %% right_blessings_where_argument
# right: the argument where of sum; exercise: blessings
@jax.jit
def blessings(x):
    return x.sum(where=x > 0)

# %% right_blessings_maximum
# right: jnp.maximum; exercise: blessings
@jax.jit
def blessings(x):
    return jnp.maximum(x, 0).sum()

# %% right_blessings_relu
# right: relu; exercise: blessings
@jax.jit
def blessings(x):
    return jnp.sum(jax.nn.relu(x))

# %% right_blessings_product
# right: the mask as weights; exercise: blessings
blessings = jax.jit(lambda x: x @ (x > 0))

# %% right_blessings_clip
# right: clip; exercise: blessings
@jax.jit
def blessings(x):
    x = jnp.clip(x, min=0)
    return x.sum()

# %% right_blessings_nonzero
# right: places, as many as there are entries; exercise: blessings
@jax.jit
def blessings(x):
    (at,) = jnp.nonzero(x > 0, size=x.size, fill_value=x.size)
    return jnp.take(x, at, mode="fill", fill_value=0.0).sum()

# %% right_blessings_scan
# right: one after the other; exercise: blessings
@jax.jit
def blessings(x):
    def add(total, entry):
        return total + jnp.where(entry > 0, entry, 0), None

    total, _ = jax.lax.scan(add, 0.0, x)
    return total

# %% wrong_blessings_counts
# wrong: counts them; exercise: blessings; must fail: outputs; says: result is int32, expected float32
@jax.jit
def blessings(x):
    return (x > 0).sum()

# %% wrong_blessings_absolute
# wrong: the others lose their sign; exercise: blessings; must fail: outputs; says: expected
@jax.jit
def blessings(x):
    return jnp.abs(x).sum()

# %% wrong_blessings_whole
# wrong: all or nothing; exercise: blessings; must fail: outputs; says: expected
@jax.jit
def blessings(x):
    return jnp.where(x.sum() > 0, x.sum(), 0)

# %% wrong_blessings_one
# wrong: 1 in the place of the others; exercise: blessings; must fail: outputs; says: expected
@jax.jit
def blessings(x):
    return jnp.where(x > 0, x, 1).sum()

# %% wrong_blessings_mean
# wrong: their mean; exercise: blessings; must fail: outputs; says: expected
@jax.jit
def blessings(x):
    return jnp.mean(jnp.where(x > 0, x, 0))

# %% wrong_blessings_largest
# wrong: the largest alone; exercise: blessings; must fail: outputs; says: expected
@jax.jit
def blessings(x):
    return jnp.maximum(x.max(), 0)

# %% wrong_blessings_no_otherwise
# wrong: where with two arguments; exercise: blessings; must fail: outputs; says: where requires
@jax.jit
def blessings(x):
    return jnp.where(x > 0, x).sum()

# %% wrong_blessings_compress
# wrong: compress has a length from data, too; exercise: blessings; must fail: outputs; says: comes from data
@jax.jit
def blessings(x):
    return jnp.compress(x > 0, x).sum()

# %% wrong_blessings_nonzero
# wrong: nonzero without a size; exercise: blessings; must fail: outputs; says: depends on the values
@jax.jit
def blessings(x):
    return x[jnp.nonzero(x > 0)].sum()

# %% wrong_blessings_five
# wrong: room for five of them; exercise: blessings; must fail: outputs; says: float32[150]): result
@jax.jit
def blessings(x):
    (at,) = jnp.nonzero(x > 0, size=5, fill_value=x.size)
    return x.at[at].get(mode="fill", fill_value=0).sum()

# %% wrong_blessings_generator
# wrong: Python's sum with an if; exercise: blessings; must fail: outputs; says: comes from data
@jax.jit
def blessings(x):
    return sum(entry for entry in x if entry > 0)

# %% wrong_blessings_numpy_mask
# wrong: the mask in NumPy; exercise: blessings; must fail: outputs; says: NumPy function was applied to a traced value
@jax.jit
def blessings(x):
    return x[np.asarray(x > 0)].sum()

# %% wrong_blessings_no_jit
# wrong: jit taken away; exercise: blessings; must fail: outputs, compilations; says: not under `jax.jit`
def blessings(x):
    return x[x > 0].sum()

# %% wrong_blessings_half
# wrong: the mask outside of jit; exercise: blessings; must fail: compilations; says: operations outside jit
add_up = jax.jit(jnp.sum)


def blessings(x):
    return add_up(jnp.where(x > 0, x, 0))

# %% wrong_blessings_total
# wrong: keeps the last sum; exercise: blessings; must fail: purity; says: a tracer is left in `last[0]`
last = []


@jax.jit
def blessings(x):
    total = jnp.where(x > 0, x, 0).sum()
    last.append(total)
    return total

# %% wrong_blessings_axis
# wrong: an axis too many; exercise: blessings; must fail: outputs; says: has shape (1,), expected ()
@jax.jit
def blessings(x):
    return jnp.where(x > 0, x, 0).sum(keepdims=True)

# %% right_bookends_returned
# right: in one line; exercise: bookends
bookends = jax.jit(lambda x: x.at[-1].set(x[0]))

# %% right_bookends_concatenate
# right: two pieces; exercise: bookends
@jax.jit
def bookends(x):
    return jnp.concatenate([x[:-1], x[:1]])

# %% right_bookends_append
# right: append to all but the last; exercise: bookends
@jax.jit
def bookends(x):
    return jnp.append(x[:-1], x[0])

# %% right_bookends_where
# right: by place; exercise: bookends
@jax.jit
def bookends(x):
    is_last = jnp.arange(len(x)) == len(x) - 1
    return jnp.where(is_last, x[0], x)

# %% right_bookends_update
# right: dynamic_update_slice; exercise: bookends
@jax.jit
def bookends(x):
    return jax.lax.dynamic_update_slice(x, x[:1], (x.shape[0] - 1,))

# %% right_bookends_places
# right: takes the first place twice; exercise: bookends
@jax.jit
def bookends(x):
    places = [*range(x.size - 1), 0]
    return x[jnp.array(places)]

# %% right_bookends_new_name
# right: the new array has a name of its own; exercise: bookends
@jax.jit
def bookends(x):
    shelf = x.at[x.size - 1].set(x[0])
    return shelf

# %% wrong_bookends_dropped
# wrong: the new array is dropped; exercise: bookends; must fail: outputs; says: 1 of 6 values differ
@jax.jit
def bookends(x):
    x.at[-1].set(x[0])
    return x

# %% wrong_bookends_other_end
# wrong: the last in the first place; exercise: bookends; must fail: outputs; says: 2 of 6 values differ
@jax.jit
def bookends(x):
    return x.at[0].set(x[-1])

# %% wrong_bookends_longer
# wrong: appended to all; exercise: bookends; must fail: outputs; says: has shape (7,), expected (6,)
@jax.jit
def bookends(x):
    return jnp.append(x, x[0])

# %% wrong_bookends_added
# wrong: added to the last; exercise: bookends; must fail: outputs; says: result[5]
@jax.jit
def bookends(x):
    x = x.at[-1].add(x[0])
    return x

# %% wrong_bookends_sixth
# wrong: the sixth place; exercise: bookends; must fail: outputs; says: float32[150]): result[149]
@jax.jit
def bookends(x):
    return x.at[5].set(x[0])

# %% wrong_bookends_behind
# wrong: one place behind the last; exercise: bookends; must fail: outputs; says: result[5]
@jax.jit
def bookends(x):
    return x.at[x.size].set(x[0])

# %% wrong_bookends_at_assigned
# wrong: assigns to at; exercise: bookends; must fail: outputs; says: cannot be changed in place
@jax.jit
def bookends(x):
    x.at[-1] = x[0]
    return x

# %% wrong_bookends_copy
# wrong: a copy does not change either; exercise: bookends; must fail: outputs; says: cannot be changed in place
@jax.jit
def bookends(x):
    y = x.copy()
    y[-1] = y[0]
    return y

# %% wrong_bookends_numpy
# wrong: a NumPy array of a tracer; exercise: bookends; must fail: outputs; says: NumPy function was applied to a traced value
@jax.jit
def bookends(x):
    x = np.array(x)
    x[-1] = x[0]
    return x

# %% wrong_bookends_numpy_outside
# wrong: all of it in NumPy; exercise: bookends; must fail: outputs, compilations; says: NumPy function was applied to a traced value
def bookends(x):
    x = np.array(x)
    x[-1] = x[0]
    return jnp.asarray(x)

# %% wrong_bookends_list
# wrong: returns a list; exercise: bookends; must fail: outputs; says: expected one array
@jax.jit
def bookends(x):
    x = list(x)
    x[-1] = x[0]
    return x

# %% wrong_bookends_swapped
# wrong: swaps both; exercise: bookends; must fail: outputs; says: result[0]
@jax.jit
def bookends(x):
    return x.at[-1].set(x[0]).at[0].set(x[-1])

# %% wrong_bookends_no_jit
# wrong: right, and not jitted; exercise: bookends; must fail: compilations; says: operations outside jit
def bookends(x):
    x = x.at[-1].set(x[0])
    return x

# %% wrong_bookends_shelf
# wrong: keeps the books in a global; exercise: bookends; must fail: purity; says: a tracer is left in `shelf['books']`
shelf = {}


@jax.jit
def bookends(x):
    shelf["books"] = x.at[-1].set(x[0])
    return shelf["books"]

# %% right_origami_isqrt
# right: math.isqrt; exercise: origami
import math


@jax.jit
def origami(x):
    side = math.isqrt(x.size)
    return x.reshape(side, side)

# %% right_origami_rounded
# right: a power, rounded; exercise: origami
@jax.jit
def origami(x):
    side = round(len(x) ** 0.5)
    return jnp.reshape(x, (side, side))

# %% right_origami_minus_one
# right: one side computed, the other left to reshape; exercise: origami
@jax.jit
def origami(x):
    return x.reshape(int(x.shape[0] ** 0.5), -1)

# %% right_origami_search
# right: looks for the side; exercise: origami
@jax.jit
def origami(x):
    side = 1
    while side * side < x.size:
        side += 1
    return x.reshape(side, side)

# %% right_origami_rows
# right: row by row; exercise: origami
@jax.jit
def origami(x):
    side = np.sqrt(x.size).astype(int)
    return jnp.stack([x[i * side : (i + 1) * side] for i in range(side)])

# %% right_origami_split
# right: split and stack; exercise: origami
origami = jax.jit(lambda x: jnp.stack(jnp.split(x, int(len(x) ** 0.5))))

# %% right_origami_grid
# right: a grid of places; exercise: origami
@jax.jit
def origami(x):
    side = int(np.sqrt(x.size))
    i = np.arange(side)
    return x[side * i[:, None] + i]

# %% wrong_origami_three
# wrong: always three rows of three; exercise: origami; must fail: outputs; says: does not fit this array
@jax.jit
def origami(x):
    return x.reshape(3, 3)

# %% wrong_origami_three_columns
# wrong: always three columns; exercise: origami; must fail: outputs; says: does not fit this array
@jax.jit
def origami(x):
    return x.reshape(-1, 3)

# %% wrong_origami_columns
# wrong: column by column; exercise: origami; must fail: outputs; says: another order
@jax.jit
def origami(x):
    side = int(np.sqrt(x.size))
    return x.reshape(side, side).T

# %% wrong_origami_fortran
# wrong: another order; exercise: origami; must fail: outputs; says: another order
@jax.jit
def origami(x):
    side = int(np.sqrt(x.size))
    return x.reshape((side, side), order="F")

# %% wrong_origami_int
# wrong: int() of the tracer; exercise: origami; must fail: outputs; says: Nothing has to become static here
@jax.jit
def origami(x):
    side = int(jnp.sqrt(x.size))
    return x.reshape(side, side)

# %% wrong_origami_float
# wrong: the side is a float; exercise: origami; must fail: outputs; says: np.float64(3.0)
@jax.jit
def origami(x):
    side = np.sqrt(x.size)
    return x.reshape(side, side)

# %% wrong_origami_half
# wrong: half of the entries; exercise: origami; must fail: outputs; says: does not fit this array
@jax.jit
def origami(x):
    side = x.size // 2
    return x.reshape(side, side)

# %% wrong_origami_one_row
# wrong: one row; exercise: origami; must fail: outputs; says: has shape (1, 9), expected (3, 3)
@jax.jit
def origami(x):
    return x.reshape(1, -1)

# %% wrong_origami_static
# wrong: x is static; exercise: origami; must fail: outputs; says: `x` is static, but holds an array
@jax.jit(static_argnums=0)
def origami(x):
    side = jnp.sqrt(x.size).astype(int)
    return x.reshape(side, side)

# %% wrong_origami_numpy
# wrong: folds in NumPy; exercise: origami; must fail: outputs; says: NumPy function was applied to a traced value
@jax.jit
def origami(x):
    side = int(np.sqrt(x.size))
    return np.asarray(x).reshape(side, side)

# %% wrong_origami_table
# wrong: knows three sizes; exercise: origami; must fail: outputs; says: KeyError: 144
@jax.jit
def origami(x):
    side = {1: 1, 4: 2, 9: 3}[x.size]
    return x.reshape(side, side)

# %% wrong_origami_no_jit
# wrong: right, and not jitted; exercise: origami; must fail: compilations; says: outside jit (reshape)
def origami(x):
    side = int(np.sqrt(x.size))
    return x.reshape(side, side)

# %% wrong_origami_jit_inside
# wrong: jits at each call; exercise: origami; must fail: compilations; says: compiled again
def origami(x):
    side = int(np.sqrt(x.size))
    return jax.jit(lambda v: v.reshape(side, side))(x)

# %% wrong_origami_remembers
# wrong: leaves the side in a global; exercise: origami; must fail: purity; says: `side` changes
side = 3


@jax.jit
def origami(x):
    global side
    side = int(np.sqrt(x.size))
    return x.reshape(side, side)

# %% right_snail_while
# right: while_loop that counts down; exercise: snail
@jax.jit
def snail(x, n):
    def more(state):
        return state[0] > 0

    def step(state):
        left, x = state
        return left - 1, x + 1 / x

    return jax.lax.while_loop(more, step, (n, x))[1]

# %% right_snail_while_up
# right: while_loop that counts up, a dictionary; exercise: snail
@jax.jit
def snail(x, n):
    start = {"i": 0, "x": x}
    end = jax.lax.while_loop(
        lambda s: s["i"] < n, lambda s: {"i": s["i"] + 1, "x": s["x"] + 1 / s["x"]}, start
    )
    return end["x"]

# %% right_snail_def
# right: a function with a name for the step; exercise: snail
def crawl(_, x):
    return x + 1 / x


@jax.jit
def snail(x, n):
    return jax.lax.fori_loop(0, n, crawl, x)

# %% right_snail_from_one
# right: counts from 1 to n; exercise: snail
from jax import lax

snail = jax.jit(lambda x, n: lax.fori_loop(1, n + 1, lambda _, x: x + jnp.reciprocal(x), x))

# %% right_snail_step_inside
# right: the step defined inside, the square divided; exercise: snail
@jax.jit
def snail(x, n):
    def step(i, x):
        return (x * x + 1) / x

    x = jax.lax.fori_loop(0, n, step, x)
    return x

# %% right_snail_vmap
# right: one snail, and vmap for all; exercise: snail
@jax.jit
def snail(x, n):
    def one(start):
        return jax.lax.fori_loop(0, n, lambda i, at: at + 1 / at, start)

    return jax.vmap(one)(x)

# %% wrong_snail_static
# wrong: data are static; exercise: snail; must fail: outputs; says: static arguments are not supported
@jax.jit(static_argnames="n")
def snail(x, n):
    for _ in range(n):
        x = x + 1 / x
    return x

# %% wrong_snail_int
# wrong: int() of a tracer; exercise: snail; must fail: outputs; says: number is needed here
@jax.jit
def snail(x, n):
    for _ in range(int(n)):
        x = x + 1 / x
    return x

# %% wrong_snail_one_more
# wrong: one step too many; exercise: snail; must fail: outputs; says: jnp.array(3)): result
@jax.jit
def snail(x, n):
    return jax.lax.fori_loop(0, n + 1, lambda i, x: x + 1 / x, x)

# %% wrong_snail_one_less
# wrong: one step too few; exercise: snail; must fail: outputs; says: jnp.array(3)): result
@jax.jit
def snail(x, n):
    return jax.lax.fori_loop(1, n, lambda i, x: x + 1 / x, x)

# %% wrong_snail_thirty
# wrong: no more than thirty steps; exercise: snail; must fail: outputs; says: expected
@jax.jit
def snail(x, n):
    def step(x, i):
        return jnp.where(i < n, x + 1 / x, x), None

    return jax.lax.scan(step, x, jnp.arange(30))[0]

# %% wrong_snail_counter
# wrong: divides by the count; exercise: snail; must fail: outputs; says: jnp.array(3)): result
@jax.jit
def snail(x, n):
    return jax.lax.fori_loop(0, n, lambda i, x: x + 1 / (i + 1), x)

# %% wrong_snail_formula
# wrong: nearly; exercise: snail; must fail: outputs; says: jnp.array(3)): result
@jax.jit
def snail(x, n):
    return jnp.sqrt(x**2 + 2 * n)

# %% wrong_snail_swapped
# wrong: the step takes its arguments in the other order; exercise: snail; must fail: outputs; says: must have equal types
@jax.jit
def snail(x, n):
    return jax.lax.fori_loop(0, n, lambda x, i: x + 1 / x, x)

# %% wrong_snail_nothing_returned
# wrong: the step returns nothing; exercise: snail; must fail: outputs; says: must have the same pytree structure
@jax.jit
def snail(x, n):
    def step(i, x):
        x = x + 1 / x

    return jax.lax.fori_loop(0, n, step, x)

# %% wrong_snail_while
# wrong: a Python while; exercise: snail; must fail: outputs; says: The loop becomes `lax.while_loop`
@jax.jit
def snail(x, n):
    while n > 0:
        x, n = x + 1 / x, n - 1
    return x

# %% wrong_snail_scan
# wrong: a scan of unknown length; exercise: snail; must fail: outputs; says: number is needed here
@jax.jit
def snail(x, n):
    return jax.lax.scan(lambda x, _: (x + 1 / x, None), x, length=n)[0]

# %% wrong_snail_no_jit
# wrong: jit taken away; exercise: snail; must fail: outputs, compilations; says: not under `jax.jit`
def snail(x, n):
    for _ in range(n):
        x = x + 1 / x
    return x

# %% wrong_snail_eager
# wrong: the loop is right, and not jitted; exercise: snail; must fail: compilations; says: fori_loop was called outside jit
def snail(x, n):
    return jax.lax.fori_loop(0, n, lambda i, x: x + 1 / x, x)

# %% wrong_snail_of_n
# wrong: a program of its own for each n; exercise: snail; must fail: outputs, compilations; says: number is needed here
def snail(x, n):
    n = int(n)

    @jax.jit
    def crawl(x):
        for _ in range(n):
            x = x + 1 / x
        return x

    return crawl(x)

# %% wrong_snail_prints
# wrong: tells where it is; exercise: snail; must fail: purity; says: print() is called
@jax.jit
def snail(x, n):
    def step(i, x):
        print("step", i)
        return x + 1 / x

    return jax.lax.fori_loop(0, n, step, x)

# %% right_elephant_cumsum
# right: jnp.cumsum; exercise: elephant
elephant = jax.jit(jnp.cumsum)

# %% right_elephant_method
# right: the method, in a function; exercise: elephant
@jax.jit
def elephant(x):
    return x.cumsum()

# %% right_elephant_moved
# right: the list moved, by another spelling; exercise: elephant
@jax.jit
def elephant(x):
    totals = []
    total = 0
    for entry in x:
        total += entry
        totals += [total]
    return jnp.array(totals)

# %% right_elephant_scan
# right: a scan; exercise: elephant
@jax.jit
def elephant(x):
    def add(total, entry):
        total = total + entry
        return total, total

    return jax.lax.scan(add, jnp.zeros((), x.dtype), x)[1]

# %% right_elephant_associative
# right: associative_scan; exercise: elephant
@jax.jit
def elephant(x):
    return jax.lax.associative_scan(jnp.add, x)

# %% right_elephant_accumulate
# right: itertools.accumulate; exercise: elephant
from itertools import accumulate


@jax.jit
def elephant(x):
    return jnp.stack([*accumulate(x)])

# %% right_elephant_triangle
# right: a triangle of ones; exercise: elephant
@jax.jit
def elephant(x):
    return jnp.where(jnp.tri(x.size) > 0, x, 0).sum(axis=1)

# %% right_elephant_loop
# right: a loop that writes into an array; exercise: elephant
@jax.jit
def elephant(x):
    def add(i, totals):
        return totals.at[i].add(totals[i - 1])

    return jax.lax.fori_loop(1, x.size, add, x)

# %% wrong_elephant_emptied
# wrong: empties the global list, and fills it again; exercise: elephant; must fail: purity; says: a tracer is left in `totals[1]`
totals = [0.0]


@jax.jit
def elephant(x):
    del totals[1:]
    for entry in x:
        totals.append(totals[-1] + entry)
    return jnp.stack(totals[1:])

# %% wrong_elephant_global
# wrong: a new list, and still a global; exercise: elephant; must fail: purity; says: a tracer is left in `totals[1]`
totals = None


@jax.jit
def elephant(x):
    global totals
    totals = [0.0]
    for entry in x:
        totals.append(totals[-1] + entry)
    return jnp.stack(totals[1:])

# %% wrong_elephant_default
# wrong: a default is made once, too; exercise: elephant; must fail: outputs; says: UnexpectedTracerError
@jax.jit
def elephant(x, totals=[0.0]):
    for entry in x:
        totals.append(totals[-1] + entry)
    return jnp.stack(totals[1:])

# %% wrong_elephant_attribute
# wrong: remembers in an object; exercise: elephant; must fail: outputs; says: UnexpectedTracerError
class Memory:
    total = 0.0


@jax.jit
def elephant(x):
    totals = []
    for entry in x:
        Memory.total = Memory.total + entry
        totals.append(Memory.total)
    return jnp.stack(totals)

# %% wrong_elephant_global_array
# wrong: a global array in place of the list; exercise: elephant; must fail: outputs; says: UnexpectedTracerError
total = jnp.zeros(())


@jax.jit
def elephant(x):
    global total
    totals = total + jnp.cumsum(x)
    total = totals[-1]
    return totals

# %% wrong_elephant_no_jit
# wrong: jit taken away, and it still never forgets; exercise: elephant; must fail: outputs; says: expected
totals = [0.0]


def elephant(x):
    for entry in x:
        totals.append(totals[-1] + entry)
    return jnp.stack(totals[1:])

# %% wrong_elephant_eager
# wrong: right, and not jitted; exercise: elephant; must fail: compilations; says: operations outside jit
def elephant(x):
    totals = [0.0]
    for entry in x:
        totals.append(totals[-1] + entry)
    return jnp.stack(totals[1:])

# %% wrong_elephant_zero_first
# wrong: the 0 comes back, too; exercise: elephant; must fail: outputs; says: has shape (7,), expected (6,)
@jax.jit
def elephant(x):
    totals = [0.0]
    for entry in x:
        totals.append(totals[-1] + entry)
    return jnp.stack(totals)

# %% wrong_elephant_before
# wrong: the sum of those before; exercise: elephant; must fail: outputs; says: 6 of 6 values differ
@jax.jit
def elephant(x):
    totals = [0.0]
    for entry in x:
        totals.append(totals[-1] + entry)
    return jnp.stack(totals[:-1])

# %% wrong_elephant_last
# wrong: the whole sum; exercise: elephant; must fail: outputs; says: has shape (), expected (6,)
@jax.jit
def elephant(x):
    total = 0.0
    for entry in x:
        total = total + entry
    return total

# %% wrong_elephant_from_behind
# wrong: adds from behind; exercise: elephant; must fail: outputs; says: expected
@jax.jit
def elephant(x):
    return jnp.cumsum(x[::-1])[::-1]

# %% wrong_elephant_product
# wrong: running products; exercise: elephant; must fail: outputs; says: expected
elephant = jax.jit(lambda x: jnp.cumprod(x))

# %% wrong_elephant_float
# wrong: plain numbers; exercise: elephant; must fail: outputs; says: number is needed here
@jax.jit
def elephant(x):
    totals = [0.0]
    for entry in x:
        totals.append(totals[-1] + float(entry))
    return jnp.array(totals[1:])

# %% wrong_elephant_numpy
# wrong: NumPy's cumsum; exercise: elephant; must fail: outputs; says: NumPy function was applied to a traced value
@jax.jit
def elephant(x):
    return np.cumsum(np.asarray(x))

# %% wrong_elephant_list
# wrong: returns the list; exercise: elephant; must fail: outputs; says: expected one array
@jax.jit
def elephant(x):
    totals = [0.0]
    for entry in x:
        totals.append(totals[-1] + entry)
    return totals[1:]

# %% wrong_elephant_six
# wrong: six entries; exercise: elephant; must fail: outputs; says: float32[24]): result has shape (6,), expected (24,)
@jax.jit
def elephant(x):
    totals = [0.0]
    for i in range(6):
        totals.append(totals[-1] + x[i])
    return jnp.stack(totals[1:])

# %% right_shaken_one_line
# right: in one line, with the dtype; exercise: shaken
shaken = jax.jit(lambda key, x: x + jax.random.normal(key, x.shape, x.dtype))

# %% right_shaken_imported
# right: imports random, the shape by its length; exercise: shaken
from jax import random


@jax.jit
def shaken(key, x):
    noise = random.normal(key, (len(x),))
    return x + noise

# %% right_shaken_keywords
# right: by keywords; exercise: shaken
@jax.jit
def shaken(key, x):
    noise = jax.random.normal(shape=x.shape, key=key)
    return jnp.add(noise, x)

# %% right_shaken_row
# right: a row, and its entries; exercise: shaken
@jax.jit
def shaken(key, x):
    return x + jax.random.normal(key, (1, x.size))[0]

# %% right_shaken_helper
# right: the noise in a function of its own; exercise: shaken
def noise_like(key, x):
    return jax.random.normal(key, x.shape, x.dtype)


@jax.jit
def shaken(key, x):
    return x + noise_like(key, x)

# %% right_shaken_jitted_below
# right: jitted below the function; exercise: shaken
def shaken(key, x):
    noise = jax.random.normal(key, jnp.shape(x))
    return noise + x


shaken = jax.jit(shaken)

# %% right_shaken_quantiles
# right: as jax.random.normal does it, from uniform numbers; exercise: shaken
@jax.jit
def shaken(key, x):
    low = np.nextafter(np.float32(-1), np.float32(0))
    uniform = jax.random.uniform(key, x.shape, minval=low, maxval=1.0)
    return x + np.float32(np.sqrt(2)) * jax.lax.erf_inv(uniform)

# %% wrong_shaken_own_key
# wrong: a key of its own; exercise: shaken; must fail: outputs; says: expected
@jax.jit
def shaken(key, x):
    return x + jax.random.normal(jax.random.key(0), x.shape)

# %% wrong_shaken_generator
# wrong: NumPy's generator; exercise: shaken; must fail: outputs; says: expected
@jax.jit
def shaken(key, x):
    rng = np.random.default_rng(0)
    return x + rng.normal(size=x.shape)

# %% wrong_shaken_python
# wrong: Python's random numbers; exercise: shaken; must fail: outputs; says: expected
import random


@jax.jit
def shaken(key, x):
    return x + jnp.array([random.gauss(0, 1) for _ in range(x.size)])

# %% wrong_shaken_seeds_numpy
# wrong: gives the key to NumPy; exercise: shaken; must fail: outputs; says: jax.random
@jax.jit
def shaken(key, x):
    rng = np.random.default_rng(key)
    return x + rng.normal(size=x.shape)

# %% wrong_shaken_one_number
# wrong: one number for all; exercise: shaken; must fail: outputs; says: expected
@jax.jit
def shaken(key, x):
    return x + jax.random.normal(key)

# %% wrong_shaken_uniform
# wrong: uniform numbers; exercise: shaken; must fail: outputs; says: expected
@jax.jit
def shaken(key, x):
    return x + jax.random.uniform(key, x.shape)

# %% wrong_shaken_laplace
# wrong: mean and deviation are right, but it is not normal; exercise: shaken; must fail: outputs; says: expected
@jax.jit
def shaken(key, x):
    return x + jax.random.laplace(key, x.shape) / jnp.sqrt(2.0)

# %% wrong_shaken_little
# wrong: a tenth of the noise; exercise: shaken; must fail: outputs; says: expected
@jax.jit
def shaken(key, x):
    return x + 0.1 * jax.random.normal(key, x.shape)

# %% wrong_shaken_multiplied
# wrong: multiplies; exercise: shaken; must fail: outputs; says: expected
@jax.jit
def shaken(key, x):
    return x * jax.random.normal(key, x.shape)

# %% wrong_shaken_noise_alone
# wrong: returns the noise; exercise: shaken; must fail: outputs; says: expected
@jax.jit
def shaken(key, x):
    return jax.random.normal(key, x.shape)

# %% wrong_shaken_permuted
# wrong: always the same noise, in another order; exercise: shaken; must fail: outputs; says: expected
@jax.jit
def shaken(key, x):
    noise = jax.random.normal(jax.random.key(1), x.shape)
    return x + jax.random.permutation(key, noise)

# %% wrong_shaken_first_word
# wrong: a seed made of the first word alone; exercise: shaken; must fail: outputs; says: expected
@jax.jit
def shaken(key, x):
    seed = jax.random.key_data(key)[0]
    return x + jax.random.normal(jax.random.key(seed), x.shape)

# %% wrong_shaken_signs
# wrong: 1 or -1; exercise: shaken; must fail: outputs; says: expected
@jax.jit
def shaken(key, x):
    return x + jax.random.rademacher(key, x.shape)

# %% wrong_shaken_arguments
# wrong: shape first; exercise: shaken; must fail: outputs; says: Error
@jax.jit
def shaken(key, x):
    return x + jax.random.normal(x.shape, key)

# %% wrong_shaken_key_plus_one
# wrong: another key; exercise: shaken; must fail: outputs; says: expected
@jax.jit
def shaken(key, x):
    return x + jax.random.normal(key + 1, x.shape)

# %% wrong_shaken_split
# wrong: draws with a new key, not with this one; exercise: shaken; must fail: outputs; says: expected
@jax.jit
def shaken(key, x):
    _, other = jax.random.split(key)
    return x + jax.random.normal(other, x.shape)

# %% wrong_shaken_no_jit
# wrong: right, and not jitted; exercise: shaken; must fail: compilations; says: operations outside jit
def shaken(key, x):
    return x + jax.random.normal(key, x.shape)

# %% wrong_shaken_keeps_key
# wrong: keeps the key; exercise: shaken; must fail: purity; says: last_key
last_key = None


@jax.jit
def shaken(key, x):
    global last_key
    last_key = key
    return x + jax.random.normal(key, x.shape)

# %% right_groundhog_sigmoid
# right: jax.nn.sigmoid; exercise: groundhog
@jax.jit
def groundhog(x):
    return jax.nn.sigmoid(x)

# %% right_groundhog_outside
# right: jitted once, outside, and called; exercise: groundhog
squash = jax.jit(lambda x: 1 / (1 + jnp.exp(-x)))


def groundhog(x):
    return squash(x)

# %% right_groundhog_lambda
# right: a jitted lambda by the name; exercise: groundhog
groundhog = jax.jit(lambda x: jax.scipy.special.expit(x))

# %% right_groundhog_tanh
# right: by tanh; exercise: groundhog
@jax.jit
def groundhog(x):
    return (1 + jnp.tanh(x / 2)) / 2

# %% right_groundhog_two_layers
# right: jit above, and the old lines below; exercise: groundhog
@jax.jit
def groundhog(x):
    squash = jax.jit(lambda x: 1 / (1 + jnp.exp(-x)))
    return squash(x)

# %% right_groundhog_lambda_inside
# right: jit above, a plain lambda inside; exercise: groundhog
@jax.jit
def groundhog(x):
    squash = lambda x: 1 / (1 + jnp.exp(-x))
    return squash(x)

# %% right_groundhog_plain_function
# right: a plain function, jitted below; exercise: groundhog
def squash(x):
    e = jnp.exp(x)
    return e / (1 + e)


groundhog = jax.jit(squash)

# %% right_groundhog_vmap
# right: one entry, and vmap; exercise: groundhog
@jax.jit
@jax.vmap
def groundhog(entry):
    return 1 / (1 + jnp.exp(-entry))

# %% wrong_groundhog_def_inside
# wrong: a name in place of the lambda, still inside; exercise: groundhog; must fail: compilations; says: compiled again
def groundhog(x):
    @jax.jit
    def squash(x):
        return 1 / (1 + jnp.exp(-x))

    return squash(x)

# %% wrong_groundhog_partial
# wrong: a partial object at each call; exercise: groundhog; must fail: compilations; says: compiled again
from functools import partial


def squash(one, x):
    return one / (one + jnp.exp(-x))


def groundhog(x):
    return jax.jit(partial(squash, 1.0))(x)

# %% wrong_groundhog_no_jit
# wrong: jit taken away; exercise: groundhog; must fail: compilations; says: operations outside jit
def groundhog(x):
    return 1 / (1 + jnp.exp(-x))

# %% wrong_groundhog_half_jitted
# wrong: only a part of it is jitted; exercise: groundhog; must fail: compilations; says: outside jit
grow = jax.jit(lambda x: 1 + jnp.exp(-x))


def groundhog(x):
    return 1 / grow(x)

# %% wrong_groundhog_cleared
# wrong: clears what was compiled; exercise: groundhog; must fail: compilations; says: compiled
@jax.jit
def squash(x):
    return 1 / (1 + jnp.exp(-x))


def groundhog(x):
    squash.clear_cache()
    return squash(x)

# %% wrong_groundhog_static_function
# wrong: a new lambda as a static argument; exercise: groundhog; must fail: compilations; says: compiled again
@jax.jit(static_argnums=0)
def apply(function, x):
    return 1 / function(x)


def groundhog(x):
    return apply(lambda x: 1 + jnp.exp(-x), x)

# %% right_groundhog_dictionary
# right: keeps its programs in a dictionary; exercise: groundhog
programs = {}


def groundhog(x):
    if x.shape not in programs:
        programs[x.shape] = jax.jit(lambda x: 1 / (1 + jnp.exp(-x)))
    return programs[x.shape](x)

# %% right_groundhog_lazy
# right: makes the program at the first call; exercise: groundhog
squash = None


def groundhog(x):
    global squash
    if squash is None:
        squash = jax.jit(lambda x: 1 / (1 + jnp.exp(-x)))
    return squash(x)

# %% wrong_groundhog_sign
# wrong: the minus is lost; exercise: groundhog; must fail: outputs; says: expected
@jax.jit
def groundhog(x):
    return 1 / (1 + jnp.exp(x))

# %% wrong_groundhog_tanh
# wrong: between -1 and 1; exercise: groundhog; must fail: outputs; says: expected
@jax.jit
def groundhog(x):
    return jnp.tanh(x)

# %% wrong_groundhog_clip
# wrong: clipped; exercise: groundhog; must fail: outputs; says: expected
@jax.jit
def groundhog(x):
    return jnp.clip(x, 0, 1)

# %% wrong_groundhog_softmax
# wrong: softmax; exercise: groundhog; must fail: outputs; says: expected
@jax.jit
def groundhog(x):
    e = jnp.exp(x - x.max())
    return e / e.sum()

# %% wrong_groundhog_numpy
# wrong: NumPy's exp; exercise: groundhog; must fail: outputs; says: NumPy function was applied to a traced value
@jax.jit
def groundhog(x):
    return 1 / (1 + np.exp(-x))

# %% wrong_groundhog_math
# wrong: Python's exp; exercise: groundhog; must fail: outputs; says: Only scalar arrays can be converted
import math


@jax.jit
def groundhog(x):
    return 1 / (1 + math.exp(-x))

# %% wrong_groundhog_static
# wrong: the data are static; exercise: groundhog; must fail: outputs; says: `x` is static, but holds an array
@jax.jit(static_argnames="x")
def groundhog(x):
    return 1 / (1 + jnp.exp(-x))

# %% wrong_groundhog_returns_function
# wrong: returns the jitted function; exercise: groundhog; must fail: outputs; says: What is judged are arrays
def groundhog(x):
    return jax.jit(lambda x: 1 / (1 + jnp.exp(-x)))

# %% right_sips_where_argument
# right: the argument where of sum; exercise: sips
@jax.jit
def sips(x, n):
    return x.sum(where=jnp.arange(len(x)) < n)

# %% right_sips_product
# right: weights of 1 and 0; exercise: sips
@jax.jit
def sips(x, n):
    return x @ (jnp.arange(x.size) < n)

# %% right_sips_running
# right: running sums, with 0 before them; exercise: sips
@jax.jit
def sips(x, n):
    return jnp.append(0.0, jnp.cumsum(x))[n]

# %% right_sips_fori
# right: a loop with a traced end; exercise: sips
@jax.jit
def sips(x, n):
    return jax.lax.fori_loop(0, n, lambda i, total: total + x[i], jnp.zeros((), x.dtype))

# %% right_sips_numpy_places
# right: places in NumPy, which are no data; exercise: sips
@jax.jit
def sips(x, n):
    return jnp.sum(jnp.where(np.arange(x.size) >= n, 0, x))

# %% right_sips_enumerate
# right: entry by entry; exercise: sips
@jax.jit
def sips(x, n):
    return sum(jnp.where(i < n, entry, 0) for i, entry in enumerate(x))

# %% right_sips_scan
# right: a scan that counts; exercise: sips
@jax.jit
def sips(x, n):
    def sip(state, entry):
        i, total = state
        return (i + 1, total + jnp.where(i < n, entry, 0)), None

    (_, total), _ = jax.lax.scan(sip, (0, 0.0), x)
    return total

# %% wrong_sips_still_static
# wrong: a mask, and n still static; exercise: sips; must fail: compilations; says: `n` was the static value
@jax.jit(static_argnames="n")
def sips(x, n):
    return jnp.where(jnp.arange(x.size) < n, x, 0).sum()

# %% wrong_sips_traced_slice
# wrong: a plain jit, and still a slice; exercise: sips; must fail: outputs; says: Slice entries must be static
@jax.jit
def sips(x, n):
    return x[:n].sum()

# %% wrong_sips_no_jit
# wrong: jit taken away; exercise: sips; must fail: compilations; says: outside jit
def sips(x, n):
    return x[:n].sum()

# %% wrong_sips_sliced_outside
# wrong: slices outside of jit; exercise: sips; must fail: compilations; says: outside jit
add_up = jax.jit(lambda x: x.sum())


def sips(x, n):
    return add_up(x[:n])

# %% wrong_sips_one_more
# wrong: one more; exercise: sips; must fail: outputs; says: expected
@jax.jit
def sips(x, n):
    return jnp.where(jnp.arange(x.size) <= n, x, 0).sum()

# %% wrong_sips_rest
# wrong: the others; exercise: sips; must fail: outputs; says: expected
@jax.jit
def sips(x, n):
    return jnp.where(jnp.arange(x.size) < n, 0, x).sum()

# %% wrong_sips_none_of_them
# wrong: the last running sum for n = 0; exercise: sips; must fail: outputs; says: 0): result
@jax.jit
def sips(x, n):
    return jnp.cumsum(x)[n - 1]

# %% wrong_sips_values
# wrong: compares the numbers and not the places; exercise: sips; must fail: outputs; says: expected
@jax.jit
def sips(x, n):
    return jnp.where(x < n, x, 0).sum()

# %% wrong_sips_mean
# wrong: divides by n; exercise: sips; must fail: outputs; says: expected
@jax.jit
def sips(x, n):
    return jnp.where(jnp.arange(x.size) < n, x, 0).sum() / jnp.maximum(n, 1)

# %% wrong_sips_hundred
# wrong: the first hundred at most; exercise: sips; must fail: outputs; says: float32[150]
@jax.jit
def sips(x, n):
    few = x[:100]
    return jnp.where(jnp.arange(few.size) < n, few, 0).sum()

# %% wrong_sips_range
# wrong: a Python loop over a tracer; exercise: sips; must fail: outputs; says: number is needed here
@jax.jit
def sips(x, n):
    return sum(x[i] for i in range(n))

# %% wrong_sips_dynamic_slice
# wrong: the size of a dynamic slice is static, too; exercise: sips; must fail: outputs; says: Sizes must be known
@jax.jit
def sips(x, n):
    return jax.lax.dynamic_slice(x, (0,), (n,)).sum()

# %% wrong_sips_closure
# wrong: n is closed over by a new function; exercise: sips; must fail: compilations; says: compiled again
def sips(x, n):
    return jax.jit(lambda x: x[:n].sum())(x)

# %% wrong_sips_static_data
# wrong: the wrong one is static; exercise: sips; must fail: outputs; says: `x` is static, but holds an array
@jax.jit(static_argnames="x")
def sips(x, n):
    return x[:n].sum()

# %% wrong_sips_glass
# wrong: empties a glass that stands around; exercise: sips; must fail: purity; says: a tracer is left in `glass[0]`
glass = [0]


@jax.jit
def sips(x, n):
    glass[0] = n
    return jnp.where(jnp.arange(x.size) < glass[0], x, 0).sum()

# %% starter_flip
# starter: as shipped; exercise: flip; must fail: outputs; says: TracerBoolConversionError

# %% starter_sunny
# starter: as shipped; exercise: sunny; must fail: outputs; says: TracerBoolConversionError

# %% starter_blessings
# starter: as shipped; exercise: blessings; must fail: outputs; says: NonConcreteBooleanIndexError

# %% starter_bookends
# starter: as shipped; exercise: bookends; must fail: outputs; says: immutable

# %% starter_origami
# starter: as shipped; exercise: origami; must fail: outputs; says: Shapes must be 1D

# %% starter_snail
# starter: as shipped; exercise: snail; must fail: outputs; says: TracerIntegerConversionError

# %% starter_elephant
# starter: as shipped; exercise: elephant; must fail: outputs; says: UnexpectedTracerError

# %% starter_shaken
# starter: as shipped; exercise: shaken; must fail: outputs; says: expected

# %% starter_groundhog
# starter: as shipped; exercise: groundhog; must fail: compilations; says: compiled again

# %% starter_sips
# starter: as shipped; exercise: sips; must fail: compilations; says: static value

# %% empty_flip
# empty: nothing; exercise: flip; must fail: outputs, purity, compilations; says: no function `flip`

# %% empty_sunny
# empty: nothing; exercise: sunny; must fail: outputs, purity, compilations; says: no function `sunny`

# %% empty_blessings
# empty: nothing; exercise: blessings; must fail: outputs, purity, compilations; says: no function `blessings`

# %% empty_bookends
# empty: nothing; exercise: bookends; must fail: outputs, purity, compilations; says: no function `bookends`

# %% empty_origami
# empty: nothing; exercise: origami; must fail: outputs, purity, compilations; says: no function `origami`

# %% empty_snail
# empty: nothing; exercise: snail; must fail: outputs, purity, compilations; says: no function `snail`

# %% empty_elephant
# empty: nothing; exercise: elephant; must fail: outputs, purity, compilations; says: no function `elephant`

# %% empty_shaken
# empty: nothing; exercise: shaken; must fail: outputs, purity, compilations; says: no function `shaken`

# %% empty_groundhog
# empty: nothing; exercise: groundhog; must fail: outputs, purity, compilations; says: no function `groundhog`

# %% empty_sips
# empty: nothing; exercise: sips; must fail: outputs, purity, compilations; says: no function `sips`
