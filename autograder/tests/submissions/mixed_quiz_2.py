"""Repairs of the lesson mixed_quiz_2, right and wrong, its starters and empty cells."""

# %% right_axis_cast
# right: cast where it is used; exercise: mixed_quiz_2_axis
def first_axis(p):
    return jnp.eye(p, dtype=int)[0]


@partial(jax.jit, static_argnums=1)
def principal_axis(Sigma, turns):
    def turn(axis, _):
        axis = Sigma @ axis
        return axis * jax.lax.rsqrt(jnp.vdot(axis, axis)), None

    return jax.lax.scan(turn, first_axis(len(Sigma)).astype(float), None, length=turns)[0]

# %% right_axis_column
# right: a column within, a vector as result; exercise: mixed_quiz_2_axis
@partial(jax.jit, static_argnames=("turns",))
def principal_axis(Sigma, turns):
    def turn(axis, _):
        axis = Sigma @ axis
        return axis / jnp.sqrt(jnp.sum(axis**2)), None

    return jax.lax.scan(turn, jnp.eye(len(Sigma))[:, :1], length=turns)[0][:, 0]

# %% right_axis_fori
# right: fori_loop, begun with a product; exercise: mixed_quiz_2_axis
@partial(jax.jit, static_argnames="turns")
def principal_axis(Sigma, turns):
    def turn(_, axis):
        axis = axis @ Sigma
        return axis / jnp.linalg.norm(axis)

    start = (jnp.arange(len(Sigma)) == 0).astype(Sigma.dtype)
    return jax.lax.fori_loop(0, turns, turn, start)

# %% right_axis_one_hot
# right: one_hot, turns as a traced number; exercise: mixed_quiz_2_axis
@jax.jit
def principal_axis(Sigma, turns):
    def turn(i, axis):
        axis = Sigma @ axis
        return axis / jnp.sqrt(jnp.sum(axis**2))

    return jax.lax.fori_loop(0, turns, turn, jax.nn.one_hot(0, Sigma.shape[0]))

# %% right_axis_power_of_two
# right: the unit vector made by .at, a dictionary as carry; exercise: mixed_quiz_2_axis
@partial(jax.jit, static_argnames="turns")
def principal_axis(Sigma, turns):
    def turn(carry, _):
        axis = jnp.einsum("ij,j->i", Sigma, carry["axis"])
        return {"axis": axis / jnp.linalg.norm(axis)}, None

    start = {"axis": jnp.zeros(Sigma.shape[0], Sigma.dtype).at[0].set(1)}
    return jax.lax.scan(turn, start, xs=None, length=turns)[0]["axis"]

# %% right_axis_while
# right: a while_loop, turns traced; exercise: mixed_quiz_2_axis
@jax.jit
def principal_axis(Sigma, turns):
    def go(s):
        return s[0] < turns

    def turn(s):
        a = Sigma @ s[1]
        return s[0] + 1, a / jnp.linalg.norm(a)

    return jax.lax.while_loop(go, turn, (0, jnp.eye(len(Sigma))[0]))[1]

# %% right_descend_fori
# right: a fori_loop that takes one row after the other; exercise: mixed_quiz_2_descend
@jax.jit
def descend(B, slopes):
    def one(i, B):
        return B - slopes[i] / (i + 1)

    return jax.lax.fori_loop(0, slopes.shape[0], one, B)

# %% right_descend_rate
# right: the step takes a rate; exercise: mixed_quiz_2_descend
@jax.jit
def step(B, slope, rate):
    return B - rate * slope


def descend(B, slopes):
    for count in range(1, len(slopes) + 1):
        B = step(B, slopes[count - 1], 1 / count)
    return B

# %% right_descend_returned
# right: the count goes in and comes out; exercise: mixed_quiz_2_descend
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
# right: a scan, the count in its carry; exercise: mixed_quiz_2_descend
@jax.jit
def descend(B, slopes):
    def step(carry, slope):
        B, count = carry
        return (B - slope / count, count + 1), None

    return jax.lax.scan(step, (B, 1.0), slopes)[0][0]

# %% right_descend_state
# right: the state in a NamedTuple; exercise: mixed_quiz_2_descend
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
# right: no loop; exercise: mixed_quiz_2_descend
@jax.jit
def descend(B, slopes):
    return B - (slopes / jnp.arange(1, len(slopes) + 1)[:, None]).sum(axis=0)

# %% right_deviance_custom
# right: a derivative of its own; exercise: mixed_quiz_2_deviance
@jax.custom_jvp
def _deviance(means, counts):
    term = jnp.where(counts == 0, 0.0, counts * jnp.log(counts / means))
    return 2 * (term - counts + means)


@_deviance.defjvp
def _slope(primals, tangents):
    means, counts = primals
    return _deviance(means, counts), 2 * (1 - counts / means) * tangents[0]


deviance = jax.jit(_deviance)

# %% right_deviance_difference
# right: the mean's logarithm apart from the count's; exercise: mixed_quiz_2_deviance
@jax.jit
def deviance(means, counts):
    log_counts = jnp.where(counts > 0, jnp.log(counts), 0.0)
    return 2 * (counts * (log_counts - jnp.log(means)) - counts + means)

# %% right_deviance_double_where
# right: the same test before and after the logarithm; exercise: mixed_quiz_2_deviance
@jax.jit
def deviance(means, counts):
    there = counts > 0
    ratio = jnp.where(there, counts, means) / means
    term = jnp.where(there, counts * jnp.log(ratio), 0.0)
    return 2.0 * (term + means - counts)

# %% right_deviance_maximum
# right: counts are integers, so at least 1 is enough; exercise: mixed_quiz_2_deviance
@jax.jit
def deviance(means, counts):
    term = counts * jnp.log(jnp.maximum(counts, 1) / means)
    return 2 * (term - counts + means)

# %% right_deviance_select
# right: a mask added to the counts; exercise: mixed_quiz_2_deviance
@jax.jit
def deviance(means, counts):
    none = (counts == 0).astype(counts.dtype)
    term = counts * (jnp.log(counts + none) - jnp.log(means))
    return 2 * (term - counts + means)

# %% right_deviance_vectorized
# right: one count at a time, vectorized; exercise: mixed_quiz_2_deviance
def one(mean, count):
    safe = jax.lax.select(count == 0, jnp.ones_like(count), count)
    return 2 * (count * jnp.log(safe / mean) - count + mean)


deviance = jax.jit(jnp.vectorize(one))

# %% right_deviance_xlogy
# right: xlogy of the counts, and the logarithm of the means; exercise: mixed_quiz_2_deviance
from jax.scipy.special import xlogy


@jax.jit
def deviance(means, counts):
    return 2 * (xlogy(counts, counts) - counts * jnp.log(means) - counts + means)

# %% right_six_comprehension
# right: by what is known while tracing; exercise: mixed_quiz_2_six
known = {
    "first_half": True,
    "up_to_largest": False,
    "absolute": False,
    "in_one_row": True,
    "halved_until_small": False,
    "folded_until_one": True,
}
answers = {name: "works" if it_is else "error" for name, it_is in known.items()}

# %% right_six_shapes_alone
# right: gives each a shape without values, where it stops; exercise: mixed_quiz_2_six
answers = dict(halved_until_small="error", folded_until_one="works")
for function in first_half, up_to_largest, absolute, in_one_row:
    try:
        jax.eval_shape(function, jax.ShapeDtypeStruct((8,), float))
    except jax.errors.JAXTypeError:
        answers[function.__name__] = "error"
    else:
        answers[function.__name__] = "works"

# %% right_six_traced
# right: only traces them; exercise: mixed_quiz_2_six
def outcome_of(function):
    try:
        jax.make_jaxpr(function)(jnp.arange(8.0))
    except (TypeError, jax.errors.ConcretizationTypeError, IndexError):
        return "error"
    return "works"


answers = dict(
    first_half=outcome_of(first_half),
    up_to_largest=outcome_of(up_to_largest),
    absolute=outcome_of(absolute),
    in_one_row=outcome_of(in_one_row),
    halved_until_small=outcome_of(halved_until_small),
    folded_until_one=outcome_of(folded_until_one),
)

# %% right_six_tried
# right: runs them; exercise: mixed_quiz_2_six
answers = {}
for function in (
    first_half,
    up_to_largest,
    absolute,
    in_one_row,
    halved_until_small,
    folded_until_one,
):
    try:
        jax.jit(function)(jnp.arange(8.0))
        answers[function.__name__] = "works"
    except Exception:
        answers[function.__name__] = "error"

# %% right_six_upside_down
# right: begins with all errors; exercise: mixed_quiz_2_six
names = "first_half up_to_largest absolute in_one_row halved_until_small folded_until_one"
answers = dict.fromkeys(names.split(), "error")
answers.update(first_half="works", in_one_row="works", folded_until_one="works")

# %% right_six_written
# right: one after the other, by hand; exercise: mixed_quiz_2_six
answers = {
    "first_half": "works",
    "up_to_largest": "error",
    "absolute": "error",
    "in_one_row": "works",
    "halved_until_small": "error",
    "folded_until_one": "works",
}

# %% wrong_axis_back_to_int
# wrong: the step's result is made an integer; exercise: mixed_quiz_2_axis; must fail: outputs; says: expected
def first_axis(p):
    return jnp.eye(p, dtype=int)[0]


@partial(jax.jit, static_argnames="turns")
def principal_axis(Sigma, turns):
    def turn(axis, _):
        new = Sigma @ axis
        return (new / jnp.sqrt(jnp.sum(new**2))).astype(axis.dtype), None

    axis, _ = jax.lax.scan(turn, first_axis(len(Sigma)), length=turns)
    return axis

# %% wrong_axis_eigh
# wrong: the limit, not so many turns; exercise: mixed_quiz_2_axis; must fail: outputs; says: expected
@partial(jax.jit, static_argnames="turns")
def principal_axis(Sigma, turns):
    axis = jnp.linalg.eigh(Sigma)[1][:, -1]
    return axis * jnp.sign(axis[0])

# %% wrong_axis_jitted_turn
# wrong: a Python loop over a jitted turn, all under jit; exercise: mixed_quiz_2_axis; must fail: compilations; says: loop
@jax.jit
def turn(Sigma, axis):
    axis = Sigma @ axis
    return axis / jnp.sqrt(jnp.sum(axis**2))


@partial(jax.jit, static_argnames="turns")
def principal_axis(Sigma, turns):
    axis = jnp.eye(len(Sigma))[0]
    for _ in range(turns):
        axis = turn(Sigma, axis)
    return axis

# %% wrong_axis_last
# wrong: begins with the last unit vector; exercise: mixed_quiz_2_axis; must fail: outputs; says: expected
def first_axis(p):
    return jnp.eye(p)[-1]


@partial(jax.jit, static_argnames="turns")
def principal_axis(Sigma, turns):
    def turn(axis, _):
        axis = Sigma @ axis
        return axis / jnp.sqrt(jnp.sum(axis**2)), None

    axis, _ = jax.lax.scan(turn, first_axis(len(Sigma)), length=turns)
    return axis

# %% wrong_axis_no_jit
# wrong: jit taken away; exercise: mixed_quiz_2_axis; must fail: compilations; says: jit
def principal_axis(Sigma, turns):
    def turn(axis, _):
        axis = Sigma @ axis
        return axis / jnp.sqrt(jnp.sum(axis**2)), None

    axis, _ = jax.lax.scan(turn, jnp.eye(len(Sigma))[0], length=turns)
    return axis

# %% wrong_axis_no_length
# wrong: not made one long; exercise: mixed_quiz_2_axis; must fail: outputs; says: expected
@partial(jax.jit, static_argnames="turns")
def principal_axis(Sigma, turns):
    return jax.lax.scan(lambda axis, _: (Sigma @ axis, None), jnp.eye(len(Sigma))[0], length=turns)[
        0
    ]

# %% wrong_axis_ones
# wrong: begins with another vector; exercise: mixed_quiz_2_axis; must fail: outputs; says: expected
@partial(jax.jit, static_argnames="turns")
def principal_axis(Sigma, turns):
    def turn(axis, _):
        axis = Sigma @ axis
        return axis / jnp.sqrt(jnp.sum(axis**2)), None

    return jax.lax.scan(turn, jnp.ones(len(Sigma)), length=turns)[0]

# %% wrong_axis_room
# wrong: room for the taxa of the oaks; exercise: mixed_quiz_2_axis; must fail: outputs; says: different sizes
from functools import partial


@partial(jax.jit, static_argnames="turns")
def principal_axis(Sigma, turns):
    p = len(Sigma)
    room = jnp.zeros((114, 114)).at[:p, :p].set(Sigma)

    def body(axis, _):
        axis = room @ axis
        return axis / jnp.sqrt(jnp.sum(axis**2)), None

    return jax.lax.scan(body, jnp.eye(114)[0], length=turns)[0][:p]

# %% wrong_axis_scan_unroll
# wrong: a scan that unrolls all its turns; exercise: mixed_quiz_2_axis; must fail: compilations; says: unroll
@partial(jax.jit, static_argnames="turns")
def principal_axis(Sigma, turns):
    def turn(axis, _):
        axis = Sigma @ axis
        return axis / jnp.sqrt(jnp.sum(axis**2)), None

    axis, _ = jax.lax.scan(turn, jnp.eye(len(Sigma))[0], length=turns, unroll=True)
    return axis

# %% wrong_axis_unrolled
# wrong: a Python loop in place of the scan; exercise: mixed_quiz_2_axis; must fail: compilations; says: loop
@partial(jax.jit, static_argnames="turns")
def principal_axis(Sigma, turns):
    axis = jnp.eye(len(Sigma))[0]
    for _ in range(turns):
        axis = Sigma @ axis
        axis = axis / jnp.sqrt(jnp.sum(axis**2))
    return axis

# %% wrong_descend_adds
# wrong: adds; exercise: mixed_quiz_2_descend; must fail: outputs; says: expected
@jax.jit
def step(B, slope, count):
    return B + slope / count


def descend(B, slopes):
    for i, slope in enumerate(slopes, start=1):
        B = step(B, slope, i)
    return B

# %% wrong_descend_eager
# wrong: right, and not jitted; exercise: mixed_quiz_2_descend; must fail: compilations; says: jit
def descend(B, slopes):
    for i, slope in enumerate(slopes):
        B = B - slope / (i + 1)
    return B

# %% wrong_descend_from_zero
# wrong: counts from 0; exercise: mixed_quiz_2_descend; must fail: outputs; says: expected
@jax.jit
def step(B, slope, count):
    return B - slope / count


def descend(B, slopes):
    for i, slope in enumerate(slopes):
        B = step(B, slope, i)
    return B

# %% wrong_descend_global_outside
# wrong: the count is passed, and still a global; exercise: mixed_quiz_2_descend; must fail: purity; says: count
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

# %% wrong_descend_jit_in_loop
# wrong: a new jitted function for each row; exercise: mixed_quiz_2_descend; must fail: compilations; says: new function object each time
def descend(B, slopes):
    for i, slope in enumerate(slopes):
        B = jax.jit(lambda B, slope, count: B - slope / count)(B, slope, i + 1)
    return B

# %% wrong_descend_no_jit
# wrong: jit taken away; exercise: mixed_quiz_2_descend; must fail: outputs; says: expected
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
# wrong: the counter begins anew, and is still not counted; exercise: mixed_quiz_2_descend; must fail: outputs; says: expected
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
# wrong: room for the taxa of the oaks; exercise: mixed_quiz_2_descend; must fail: outputs; says: shape
@jax.jit
def step(B, slope, count):
    return B - slope / count


def descend(B, slopes):
    p = len(B)
    B = jnp.zeros(114).at[:p].set(B)[:p]
    for i, slope in enumerate(slopes):
        B = step(B, slope, i + 1)
    return B

# %% wrong_descend_squares
# wrong: divides by 1, 2, 4 and so on; exercise: mixed_quiz_2_descend; must fail: outputs; says: expected
@jax.jit
def step(B, slope, weight):
    return B - weight * slope


def descend(B, slopes):
    weight = 1.0
    for slope in slopes:
        B = step(B, slope, weight)
        weight = weight / 2
    return B

# %% wrong_descend_static
# wrong: a program for each count; exercise: mixed_quiz_2_descend; must fail: compilations; says: static
from functools import partial


@partial(jax.jit, static_argnames="count")
def step(B, slope, count):
    return B - slope / count


def descend(B, slopes):
    for i, slope in enumerate(slopes):
        B = step(B, slope, count=i + 1)
    return B

# %% wrong_deviance_epsilon
# wrong: a small number in the logarithm, which changes small means; exercise: mixed_quiz_2_deviance; must fail: outputs; says: result.value
@jax.jit
def deviance(means, counts):
    term = counts * jnp.log((counts + 1e-2) / means)
    return 2 * (term - counts + means)

# %% wrong_deviance_half
# wrong: the factor 2 is lost; exercise: mixed_quiz_2_deviance; must fail: outputs; says: result.value
@jax.jit
def deviance(means, counts):
    safe = jnp.where(counts == 0, 1.0, counts)
    return counts * jnp.log(safe / means) - counts + means

# %% wrong_deviance_nan_to_num
# wrong: NaN replaced after the formula; exercise: mixed_quiz_2_deviance; must fail: outputs; says: nan
@jax.jit
def deviance(means, counts):
    term = jnp.nan_to_num(counts * jnp.log(counts / means))
    return 2 * (term - counts + means)

# %% wrong_deviance_no_jit
# wrong: jit taken away; exercise: mixed_quiz_2_deviance; must fail: compilations; says: jit
def deviance(means, counts):
    safe = jnp.where(counts == 0, 1.0, counts)
    return 2 * (counts * jnp.log(safe / means) - counts + means)

# %% wrong_deviance_not_one_count
# wrong: mapped over the first axis, which one count alone does not have; exercise: mixed_quiz_2_deviance; must fail: outputs; says: vmap
def one_deviance(mean, count):
    safe = jnp.where(count == 0, 1.0, count)
    return 2 * (count * jnp.log(safe / mean) - count + mean)


@jax.jit
def deviance(means, counts):
    return jax.vmap(one_deviance)(means, counts)

# %% wrong_deviance_one
# wrong: a count of zero is taken for one; exercise: mixed_quiz_2_deviance; must fail: outputs; says: result.value
@jax.jit
def deviance(means, counts):
    counts = jnp.where(counts == 0, 1.0, counts)
    return 2 * (counts * jnp.log(counts / means) - counts + means)

# %% wrong_deviance_prints
# wrong: prints how many zeros there are; exercise: mixed_quiz_2_deviance; must fail: purity; says: print
@jax.jit
def deviance(means, counts):
    jax.debug.print("{n} zeros", n=(counts == 0).sum())
    safe = jnp.where(counts == 0, 1.0, counts)
    return 2 * (counts * jnp.log(safe / means) - counts + means)

# %% wrong_deviance_stop
# wrong: no gradient through the term; exercise: mixed_quiz_2_deviance; must fail: outputs; says: result.gradient
@jax.jit
def deviance(means, counts):
    term = jnp.where(counts == 0, 0.0, counts * jnp.log(counts / means))
    return 2 * (jax.lax.stop_gradient(term) - counts + means)

# %% wrong_deviance_sum
# wrong: the sum; exercise: mixed_quiz_2_deviance; must fail: outputs; says: shape
@jax.jit
def deviance(means, counts):
    safe = jnp.where(counts == 0, 1.0, counts)
    return 2 * (counts * jnp.log(safe / means) - counts + means).sum()

# %% wrong_deviance_where_again
# wrong: another where after the formula; exercise: mixed_quiz_2_deviance; must fail: outputs; says: nan
@jax.jit
def deviance(means, counts):
    term = counts * jnp.log(counts / means)
    return jnp.where(counts > 0, 2 * (term - counts + means), 2 * means)

# %% wrong_six_all_loops
# wrong: takes each Python loop for an error; exercise: mixed_quiz_2_six; must fail: outputs; says: folded_until_one
answers = {
    "first_half": "works",
    "up_to_largest": "error",
    "absolute": "error",
    "in_one_row": "works",
    "halved_until_small": "error",
    "folded_until_one": "error",
}

# %% wrong_six_all_work
# wrong: all of them; exercise: mixed_quiz_2_six; must fail: outputs; says: up_to_largest
answers = {
    "first_half": "works",
    "up_to_largest": "works",
    "absolute": "works",
    "in_one_row": "works",
    "halved_until_small": "works",
    "folded_until_one": "works",
}

# %% wrong_six_booleans
# wrong: True and False; exercise: mixed_quiz_2_six; must fail: outputs; says: first_half
answers = {
    "first_half": True,
    "up_to_largest": False,
    "absolute": False,
    "in_one_row": True,
    "halved_until_small": False,
    "folded_until_one": True,
}

# %% wrong_six_largest
# wrong: takes the largest value for known; exercise: mixed_quiz_2_six; must fail: outputs; says: up_to_largest
answers = {
    "first_half": "works",
    "up_to_largest": "works",
    "absolute": "error",
    "in_one_row": "works",
    "halved_until_small": "error",
    "folded_until_one": "works",
}

# %% wrong_six_no_error
# wrong: all of them stop; exercise: mixed_quiz_2_six; must fail: outputs; says: first_half
answers = {
    "first_half": "error",
    "up_to_largest": "error",
    "absolute": "error",
    "in_one_row": "error",
    "halved_until_small": "error",
    "folded_until_one": "error",
}

# %% wrong_six_numpy
# wrong: takes NumPy on a shape for an error; exercise: mixed_quiz_2_six; must fail: outputs; says: in_one_row
answers = {
    "first_half": "works",
    "up_to_largest": "error",
    "absolute": "error",
    "in_one_row": "error",
    "halved_until_small": "error",
    "folded_until_one": "works",
}

# %% wrong_six_one_missing
# wrong: leaves one out; exercise: mixed_quiz_2_six; must fail: outputs; says: folded_until_one
answers = {
    "first_half": "works",
    "up_to_largest": "error",
    "absolute": "error",
    "in_one_row": "works",
    "halved_until_small": "error",
}

# %% wrong_six_slices
# wrong: takes each slice for an error; exercise: mixed_quiz_2_six; must fail: outputs; says: first_half
answers = {
    "first_half": "error",
    "up_to_largest": "error",
    "absolute": "error",
    "in_one_row": "works",
    "halved_until_small": "error",
    "folded_until_one": "error",
}

# %% wrong_six_vmap
# wrong: thinks that vmap calls with one number after the other; exercise: mixed_quiz_2_six; must fail: outputs; says: absolute
answers = {
    "first_half": "works",
    "up_to_largest": "error",
    "absolute": "works",
    "in_one_row": "works",
    "halved_until_small": "error",
    "folded_until_one": "works",
}

# %% wrong_six_while
# wrong: thinks that a sum can be compared; exercise: mixed_quiz_2_six; must fail: outputs; says: halved_until_small
answers = {
    "first_half": "works",
    "up_to_largest": "error",
    "absolute": "error",
    "in_one_row": "works",
    "halved_until_small": "works",
    "folded_until_one": "works",
}

# %% starter_axis
# starter: as shipped; exercise: mixed_quiz_2_axis; must fail: outputs; says: must have equal types

# %% starter_descend
# starter: as shipped; exercise: mixed_quiz_2_descend; must fail: outputs; says: expected

# %% starter_deviance
# starter: as shipped; exercise: mixed_quiz_2_deviance; must fail: outputs; says: nan

# %% starter_six
# starter: no answer yet; exercise: mixed_quiz_2_six; must fail: outputs; says: has no answer yet

# %% empty_axis
# empty: nothing; exercise: mixed_quiz_2_axis; must fail: outputs, purity, compilations; says: no function `principal_axis`

# %% empty_descend
# empty: nothing; exercise: mixed_quiz_2_descend; must fail: outputs; says: no function `descend`

# %% empty_deviance
# empty: nothing; exercise: mixed_quiz_2_deviance; must fail: outputs, purity, compilations; says: no function `deviance`

# %% empty_six
# empty: nothing; exercise: mixed_quiz_2_six; must fail: outputs; says: no function `answers`
