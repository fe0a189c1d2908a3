"""Repairs of the lesson mixed_quiz_4, right and wrong, its starters and empty cells."""

# %% right_descend_rate
# right: the step takes a rate; exercise: mixed_quiz_4_descend
@jax.jit
def step(B, slope, rate):
    return B - rate * slope


def descend(B, slopes):
    for count in range(1, len(slopes) + 1):
        B = step(B, slopes[count - 1], 1 / count)
    return B

# %% right_descend_returned
# right: the count goes in and comes out; exercise: mixed_quiz_4_descend
@jax.jit
def step(B, slope, count):
    count = count + 1
    return B - slope / count, count


def descend(B, slopes):
    count = jnp.zeros((), int)
    for slope in slopes:
        B, count = step(B, slope, count)
    return B

# %% right_descend_scan
# right: a scan, the count in its carry; exercise: mixed_quiz_4_descend
@jax.jit
def descend(B, slopes):
    def step(carry, slope):
        B, count = carry
        return (B - slope / count, count + 1), None

    return jax.lax.scan(step, (B, 1.0), slopes)[0][0]

# %% right_descend_state
# right: the state in a NamedTuple; exercise: mixed_quiz_4_descend
from typing import NamedTuple


class State(NamedTuple):
    B: jax.Array
    count: jax.Array


@jax.jit
def step(state, slope):
    count = state.count + 1
    return State(state.B - slope / count, count)


def descend(B, slopes):
    state = State(B, jnp.float32(0))
    for slope in slopes:
        state = step(state, slope)
    return state.B

# %% right_descend_sum
# right: no loop; exercise: mixed_quiz_4_descend
@jax.jit
def descend(B, slopes):
    return B - (slopes / jnp.arange(1, len(slopes) + 1)[:, None]).sum(axis=0)

# %% right_five_assigned
# right: one after the other; exercise: mixed_quiz_4_five
answers = dict.fromkeys(["by_shape", "by_column"], "right")
answers["by_new_function"] = "compiles"
answers["by_dictionary"] = "wrong"
answers["by_list"] = "error"

# %% right_groups_equality
# right: compares each group with each number; exercise: mixed_quiz_4_groups
@jax.jit
def group_effects(effects, groups):
    same = groups[:, None] == jnp.arange(len(effects))
    return jnp.where(same[:, :, None], effects[None], 0).sum(axis=1)

# %% right_groups_extra_row
# right: a row of zeros for all others; exercise: mixed_quiz_4_groups
@jax.jit
def group_effects(effects, groups):
    k, p = effects.shape
    with_zeros = jnp.vstack([effects, jnp.zeros((1, p))])
    return with_zeros[jnp.where((groups < 0) | (groups >= k), k, groups)]

# %% right_groups_fill
# right: mode fill, and no wrapping of negative ones; exercise: mixed_quiz_4_groups
@jax.jit
def group_effects(effects, groups):
    return effects.at[groups].get(mode="fill", fill_value=0, wrap_negative_indices=False)

# %% right_groups_one_hot
# right: a product with one_hot, which is zero for unknown groups; exercise: mixed_quiz_4_groups
@jax.jit
def group_effects(effects, groups):
    return jnp.dot(jax.nn.one_hot(groups, effects.shape[0]), effects, precision="highest")

# %% right_groups_take
# right: take, after the negative ones were sent out of range; exercise: mixed_quiz_4_groups
@jax.jit
def group_effects(effects, groups):
    groups = jnp.where(groups < 0, len(effects), groups)
    return jnp.take(effects, groups, axis=0, mode="fill", fill_value=0)

# %% right_grown_checkpoint
# right: a scan that keeps only the states; exercise: mixed_quiz_4_grown
from functools import partial


@partial(jax.jit, static_argnames=("years",))
def grown(rate, start, years):
    @jax.checkpoint
    def year(x, _):
        return x + rate * x * (1 - x), ()

    end, _ = jax.lax.scan(year, start, length=years)
    return end

# %% right_grown_scan
# right: a scan; exercise: mixed_quiz_4_grown
from functools import partial


@partial(jax.jit, static_argnums=2)
def grown(rate, start, years):
    def year(x, _):
        return x * (1 + rate * (1 - x)), None

    return jax.lax.scan(year, start, None, length=years)[0]

# %% right_grown_vmap
# right: one taxon at a time, under vmap; exercise: mixed_quiz_4_grown
from functools import partial


def one_taxon(rate, start, years):
    return jax.lax.fori_loop(0, years, lambda i, x: x + rate * x * (1 - x), start)


@partial(jax.jit, static_argnames="years")
def grown(rate, start, years):
    return jax.vmap(lambda r, s: one_taxon(r, s, years))(rate, start)

# %% wrong_descend_eager
# wrong: right, and not jitted; exercise: mixed_quiz_4_descend; must fail: compilations; says: jit
def descend(B, slopes):
    for i, slope in enumerate(slopes):
        B = B - slope / (i + 1)
    return B

# %% wrong_descend_from_zero
# wrong: counts from 0; exercise: mixed_quiz_4_descend; must fail: outputs; says: expected
@jax.jit
def step(B, slope, count):
    return B - slope / count


def descend(B, slopes):
    for i, slope in enumerate(slopes):
        B = step(B, slope, i)
    return B

# %% wrong_descend_global_outside
# wrong: the count is passed, and still a global; exercise: mixed_quiz_4_descend; must fail: purity; says: count
count = 0


@jax.jit
def step(B, slope, count):
    return B - slope / count


def descend(B, slopes):
    global count
    count = 0
    for slope in slopes:
        count = count + 1
        B = step(B, slope, count)
    return B

# %% wrong_descend_no_jit
# wrong: jit taken away; exercise: mixed_quiz_4_descend; must fail: outputs; says: expected
count = 0


def step(B, slope):
    global count
    count = count + 1
    return B - slope / count


def descend(B, slopes):
    for slope in slopes:
        B = step(B, slope)
    return B

# %% wrong_descend_reset
# wrong: the counter begins anew, and is still not counted; exercise: mixed_quiz_4_descend; must fail: outputs; says: expected
count = 0


@jax.jit
def step(B, slope):
    global count
    count = count + 1
    return B - slope / count


def descend(B, slopes):
    global count
    count = 0
    for slope in slopes:
        B = step(B, slope)
    return B

# %% wrong_descend_room
# wrong: room for the taxa of the oaks; exercise: mixed_quiz_4_descend; must fail: outputs; says: shape
@jax.jit
def step(B, slope, count):
    return B - slope / count


def descend(B, slopes):
    p = len(B)
    B = jnp.zeros(114).at[:p].set(B)[:p]
    for i, slope in enumerate(slopes):
        B = step(B, slope, i + 1)
    return B

# %% wrong_descend_static
# wrong: a program for each count; exercise: mixed_quiz_4_descend; must fail: compilations; says: static
from functools import partial


@partial(jax.jit, static_argnames="count")
def step(B, slope, count):
    return B - slope / count


def descend(B, slopes):
    for i, slope in enumerate(slopes):
        B = step(B, slope, count=i + 1)
    return B

# %% wrong_five_all_wrong
# wrong: nothing is fine; exercise: mixed_quiz_4_five; must fail: outputs; says: by_column
answers = {
    "by_shape": "error",
    "by_new_function": "compiles",
    "by_dictionary": "wrong",
    "by_list": "error",
    "by_column": "wrong",
}

# %% wrong_five_dictionary
# wrong: takes the dictionary for a cache of programs; exercise: mixed_quiz_4_five; must fail: outputs; says: by_dictionary
answers = {
    "by_shape": "right",
    "by_new_function": "right",
    "by_dictionary": "right",
    "by_list": "error",
    "by_column": "right",
}

# %% wrong_five_second_call
# wrong: does not think of the third call; exercise: mixed_quiz_4_five; must fail: outputs; says: by_list
answers = {
    "by_shape": "right",
    "by_new_function": "compiles",
    "by_dictionary": "wrong",
    "by_list": "right",
    "by_column": "right",
}

# %% wrong_groups_clip
# wrong: clipped on purpose; exercise: mixed_quiz_4_groups; must fail: outputs; says: expected
@jax.jit
def group_effects(effects, groups):
    return effects[jnp.clip(groups, 0, len(effects) - 1)]

# %% wrong_groups_fill_wraps
# wrong: negative ones still count from the end; exercise: mixed_quiz_4_groups; must fail: outputs; says: expected
@jax.jit
def group_effects(effects, groups):
    return effects.at[groups].get(mode="fill", fill_value=0)

# %% wrong_groups_if
# wrong: a Python branch on the groups; exercise: mixed_quiz_4_groups; must fail: outputs; says: if
@jax.jit
def group_effects(effects, groups):
    rows = []
    for group in groups:
        if group < 0 or group >= len(effects):
            rows.append(jnp.zeros(effects.shape[1]))
        else:
            rows.append(effects[group])
    return jnp.stack(rows)

# %% wrong_groups_largest
# wrong: one too many is known; exercise: mixed_quiz_4_groups; must fail: outputs; says: expected
@jax.jit
def group_effects(effects, groups):
    known = (groups >= 0) & (groups <= len(effects))
    return jnp.where(known[:, None], effects[groups], 0)

# %% wrong_groups_nan
# wrong: NaN in place of zeros; exercise: mixed_quiz_4_groups; must fail: outputs; says: nan
@jax.jit
def group_effects(effects, groups):
    known = (groups >= 0) & (groups < len(effects))
    return jnp.where(known[:, None], effects[groups], jnp.nan)

# %% wrong_groups_no_jit
# wrong: jit taken away; exercise: mixed_quiz_4_groups; must fail: compilations; says: jit
def group_effects(effects, groups):
    known = (groups >= 0) & (groups < len(effects))
    return jnp.where(known[:, None], effects[groups], 0)

# %% wrong_groups_weights
# wrong: zero as a weight of what is not a number; exercise: mixed_quiz_4_groups; must fail: outputs; says: nan
@jax.jit
def group_effects(effects, groups):
    known = (groups >= 0) & (groups < len(effects))
    return known[:, None] * effects.at[groups].get(mode="fill")

# %% wrong_grown_chunks
# wrong: a scan for each chunk of ten years; exercise: mixed_quiz_4_grown; must fail: compilations; says: grows
from functools import partial


@partial(jax.jit, static_argnames="years")
def grown(rate, start, years):
    for first in range(0, years, 10):
        last = min(first + 10, years)
        start = jax.lax.fori_loop(first, last, lambda _, x: x + rate * x * (1 - x), start)
    return start

# %% wrong_grown_hundred_years
# wrong: nobody counts beyond 100 years; exercise: mixed_quiz_4_grown; must fail: outputs; says: 130): result.value
@jax.jit
def grown(rate, start, years):
    def body(x, year):
        return jnp.where(year < years, x + rate * x * (1 - x), x), None

    return jax.lax.scan(body, start, jnp.arange(100))[0]

# %% wrong_grown_no_jit
# wrong: jit taken away; exercise: mixed_quiz_4_grown; must fail: compilations; says: jit
def grown(rate, start, years):
    return jax.lax.fori_loop(0, years, lambda _, x: x + rate * x * (1 - x), start)

# %% wrong_grown_once_more
# wrong: one year too many; exercise: mixed_quiz_4_grown; must fail: outputs; says: expected
from functools import partial


@partial(jax.jit, static_argnames="years")
def grown(rate, start, years):
    return jax.lax.fori_loop(0, years + 1, lambda _, x: x + rate * x * (1 - x), start)

# %% wrong_grown_python_loop
# wrong: a Python loop; exercise: mixed_quiz_4_grown; must fail: compilations; says: loop
from functools import partial


@partial(jax.jit, static_argnames="years")
def grown(rate, start, years):
    x = start
    for _ in range(years):
        x = x + rate * x * (1 - x)
    return x

# %% wrong_grown_range
# wrong: a Python loop over a traced number; exercise: mixed_quiz_4_grown; must fail: outputs; says: A plain Python number is needed
@jax.jit
def grown(rate, start, years):
    x = start
    for _ in range(years):
        x = x + rate * x * (1 - x)
    return x

# %% wrong_grown_stop
# wrong: no gradient through the loop; exercise: mixed_quiz_4_grown; must fail: outputs; says: result.gradient
@jax.jit
def grown(rate, start, years):
    rate = jax.lax.stop_gradient(rate)
    return jax.lax.fori_loop(0, years, lambda _, x: x + rate * x * (1 - x), start)

# %% wrong_grown_unroll
# wrong: a scan that unrolls all its steps; exercise: mixed_quiz_4_grown; must fail: compilations; says: grows
from functools import partial


@partial(jax.jit, static_argnames="years")
def grown(rate, start, years):
    x, _ = jax.lax.scan(
        lambda x, _: (x + rate * x * (1 - x), None), start, length=years, unroll=True
    )
    return x

# %% wrong_grown_while
# wrong: a while_loop with a static bound; exercise: mixed_quiz_4_grown; must fail: outputs; says: everse-mode differentiation
from functools import partial


@partial(jax.jit, static_argnames="years")
def grown(rate, start, years):
    def year(state):
        i, x = state
        return i + 1, x + rate * x * (1 - x)

    return jax.lax.while_loop(lambda state: state[0] < years, year, (0, start))[1]

# %% starter_descend
# starter: as shipped; exercise: mixed_quiz_4_descend; must fail: outputs; says: expected

# %% starter_five
# starter: no answer yet; exercise: mixed_quiz_4_five; must fail: outputs; says: has no answer yet

# %% starter_groups
# starter: as shipped; exercise: mixed_quiz_4_groups; must fail: outputs; says: expected

# %% starter_grown
# starter: as shipped; exercise: mixed_quiz_4_grown; must fail: outputs; says: everse-mode differentiation

# %% empty_descend
# empty: nothing; exercise: mixed_quiz_4_descend; must fail: outputs; says: no function `descend`

# %% empty_five
# empty: nothing; exercise: mixed_quiz_4_five; must fail: outputs; says: no function `answers`

# %% empty_groups
# empty: nothing; exercise: mixed_quiz_4_groups; must fail: outputs, purity, compilations; says: no function `group_effects`

# %% empty_grown
# empty: nothing; exercise: mixed_quiz_4_grown; must fail: outputs, purity, compilations; says: no function `grown`
