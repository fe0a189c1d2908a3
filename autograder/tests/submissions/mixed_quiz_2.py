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

# %% right_climb_copy
# right: a copy is changed, and returned; exercise: mixed_quiz_2_climb
@jax.jit
def step(params, Y, rate):
    params = dict(params)
    slope = Y - jnp.exp(params["B"] + params["M"])
    params["B"] = params["B"] + rate * slope.mean(axis=0)
    params["M"] = params["M"] + rate * (slope - params["M"])
    return params


def climb(params, Y, rate, steps):
    new = params
    for _ in range(steps):
        new = step(new, Y, rate)
    return new

# %% right_climb_own_dictionary
# right: jit gives the step a dictionary of its own, which it returns; exercise: mixed_quiz_2_climb
@jax.jit
def step(params, Y, rate):
    slope = Y - jnp.exp(params["B"] + params["M"])
    params["B"] = params["B"] + rate * slope.mean(axis=0)
    params["M"] = params["M"] + rate * (slope - params["M"])
    return params


def climb(params, Y, rate, steps):
    for _ in range(steps):
        params = step(params, Y, rate)
    return params

# %% right_climb_pair
# right: the step takes and returns a pair; exercise: mixed_quiz_2_climb
@jax.jit
def step(B, M, Y, rate):
    slope = Y - jnp.exp(B + M)
    return B + rate * slope.mean(axis=0), M + rate * (slope - M)


def climb(params, Y, rate, steps):
    B, M = params["B"], params["M"]
    for _ in range(steps):
        B, M = step(B, M, Y, rate)
    return {"B": B, "M": M}

# %% right_climb_scan
# right: one program with a scan; exercise: mixed_quiz_2_climb
@partial(jax.jit, static_argnames="steps")
def climb(params, Y, rate, steps):
    def step(params, _):
        slope = Y - jnp.exp(params["B"] + params["M"])
        ascent = {"B": slope.mean(axis=0), "M": slope - params["M"]}
        return jax.tree.map(lambda x, a: x + rate * a, params, ascent), None

    return jax.lax.scan(step, params, length=steps)[0]

# %% right_climb_tree
# right: the gradient by JAX, and a tree.map; exercise: mixed_quiz_2_climb
@jax.jit
def step(params, Y, rate):
    def likelihood(params):
        eta = params["B"] + params["M"]
        return jnp.sum(Y * eta - jnp.exp(eta))

    g = jax.grad(likelihood)(params)
    g = {"B": g["B"] / len(Y), "M": g["M"] - params["M"]}
    return jax.tree.map(lambda p, g: p + rate * g, params, g)


def climb(params, Y, rate, steps):
    state = params.copy()
    for _ in range(steps):
        state = step(state, Y, rate)
    return state

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

# %% right_deviance_maximum
# right: counts are integers, so at least 1 is enough; exercise: mixed_quiz_2_deviance
@jax.jit
def deviance(means, counts):
    term = counts * jnp.log(jnp.maximum(counts, 1) / means)
    return 2 * (term - counts + means)

# %% right_deviance_xlogy
# right: xlogy of the counts, and the logarithm of the means; exercise: mixed_quiz_2_deviance
from jax.scipy.special import xlogy


@jax.jit
def deviance(means, counts):
    return 2 * (xlogy(counts, counts) - counts * jnp.log(means) - counts + means)

# %% right_level_mean_where
# right: mean with where, and the empty selection apart; exercise: mixed_quiz_2_level
@jax.jit
def level_where_found(counts):
    found = counts > 0
    mean = jnp.mean(jnp.log(counts), where=found)
    return jnp.where(found.any(), mean, 0.0)

# %% right_level_nanmean
# right: NaN for what was not found; exercise: mixed_quiz_2_level
@jax.jit
def level_where_found(counts):
    logs = jnp.where(counts > 0, jnp.log(counts), jnp.nan)
    return jnp.nan_to_num(jnp.nanmean(logs))

# %% right_level_nonzero
# right: nonzero with a size; exercise: mixed_quiz_2_level
@jax.jit
def level_where_found(counts):
    (at,) = jnp.nonzero(counts, size=len(counts), fill_value=len(counts))
    logs = jnp.log(counts.at[at].get(mode="fill", fill_value=1))
    return logs.sum() / jnp.clip(jnp.count_nonzero(counts), 1)

# %% right_level_product
# right: a dot product with the mask, under cond; exercise: mixed_quiz_2_level
@jax.jit
def level_where_found(counts):
    found = (counts > 0).astype(counts.dtype)
    total = jnp.dot(found, jnp.log(counts + (1 - found)))
    number = found.sum()
    return jax.lax.cond(number == 0, lambda: 0.0, lambda: total / number)

# %% right_level_scan
# right: a scan over the sites; exercise: mixed_quiz_2_level
@jax.jit
def level_where_found(counts):
    def add(carry, y):
        s, k = carry
        there = y > 0
        return (s + jnp.where(there, jnp.log(jnp.where(there, y, 1.0)), 0.0), k + there), None

    (s, k), _ = jax.lax.scan(add, (0.0, 0), counts)
    return jnp.where(k > 0, s / jnp.maximum(k, 1), 0.0)

# %% right_six_tried
# right: runs them; exercise: mixed_quiz_2_six
answers = {}
for function in (
    first_half,
    up_to_largest,
    in_pairs,
    in_one_row,
    halved_until_small,
    folded_until_one,
):
    try:
        jax.jit(function)(jnp.arange(8.0))
        answers[function.__name__] = "works"
    except Exception:
        answers[function.__name__] = "error"

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

# %% wrong_climb_a_pair
# wrong: a pair in place of the dictionary; exercise: mixed_quiz_2_climb; must fail: outputs; says: result['B']
@jax.jit
def step(params, Y, rate):
    slope = Y - jnp.exp(params["B"] + params["M"])
    return {
        "B": params["B"] + rate * slope.mean(axis=0),
        "M": params["M"] + rate * (slope - params["M"]),
    }


def climb(params, Y, rate, steps):
    for _ in range(steps):
        params = step(params, Y, rate)
    return params["B"], params["M"]

# %% wrong_climb_donated
# wrong: donates the caller's arrays; exercise: mixed_quiz_2_climb; must fail: purity; says: donated
@partial(jax.jit, donate_argnums=0)
def step(params, Y, rate):
    slope = Y - jnp.exp(params["B"] + params["M"])
    return {
        "B": params["B"] + rate * slope.mean(axis=0),
        "M": params["M"] + rate * (slope - params["M"]),
    }


def climb(params, Y, rate, steps):
    for _ in range(steps):
        params = step(params, Y, rate)
    return params

# %% wrong_climb_eager_update
# wrong: only the slope is jitted, the steps along it are not; exercise: mixed_quiz_2_climb; must fail: compilations; says: outside
@jax.jit
def slope_at(params, Y):
    return Y - jnp.exp(params["B"] + params["M"])


def climb(params, Y, rate, steps):
    for _ in range(steps):
        slope = slope_at(params, Y)
        params = {
            "B": params["B"] + rate * slope.mean(axis=0),
            "M": params["M"] + rate * (slope - params["M"]),
        }
    return params

# %% wrong_climb_jit_in_loop
# wrong: a new jitted function at each call; exercise: mixed_quiz_2_climb; must fail: compilations; says: new function object each time
def climb(params, Y, rate, steps):
    @jax.jit
    def step(params):
        slope = Y - jnp.exp(params["B"] + params["M"])
        return {
            "B": params["B"] + rate * slope.mean(axis=0),
            "M": params["M"] + rate * (slope - params["M"]),
        }

    for _ in range(steps):
        params = step(params)
    return params

# %% wrong_climb_kept_by_identity
# wrong: results kept by the identity of the start; exercise: mixed_quiz_2_climb; must fail: purity; says: known
known = {}


@jax.jit
def step(params, Y, rate):
    slope = Y - jnp.exp(params["B"] + params["M"])
    return {
        "B": params["B"] + rate * slope.mean(axis=0),
        "M": params["M"] + rate * (slope - params["M"]),
    }


def climb(params, Y, rate, steps):
    start, key = params, (id(params), steps)
    if key not in known:
        for _ in range(steps):
            params = step(params, Y, rate)
        known[key] = start, params
    return known[key][1]

# %% wrong_climb_mean_of_new
# wrong: M climbs from the new B; exercise: mixed_quiz_2_climb; must fail: outputs; says: expected
@jax.jit
def step(params, Y, rate):
    B, M = params["B"], params["M"]
    B = B + rate * (Y - jnp.exp(B + M)).mean(axis=0)
    M = M + rate * (Y - jnp.exp(B + M) - M)
    return {"B": B, "M": M}


def climb(params, Y, rate, steps):
    for _ in range(steps):
        params = step(params, Y, rate)
    return params

# %% wrong_climb_no_jit
# wrong: jit taken away, and the caller's dictionary changed; exercise: mixed_quiz_2_climb; must fail: purity, compilations; says: params['B']
def step(params, Y, rate):
    slope = Y - jnp.exp(params["B"] + params["M"])
    params["B"] = params["B"] + rate * slope.mean(axis=0)
    params["M"] = params["M"] + rate * (slope - params["M"])


def climb(params, Y, rate, steps):
    for _ in range(steps):
        step(params, Y, rate)
    return params

# %% wrong_climb_once
# wrong: every step begins at the start; exercise: mixed_quiz_2_climb; must fail: outputs; says: expected
@jax.jit
def step(params, Y, rate):
    slope = Y - jnp.exp(params["B"] + params["M"])
    return {
        "B": params["B"] + rate * slope.mean(axis=0),
        "M": params["M"] + rate * (slope - params["M"]),
    }


def climb(params, Y, rate, steps):
    new = params
    for _ in range(steps):
        new = step(params, Y, rate)
    return new

# %% wrong_climb_returned_unused
# wrong: the step returns, and nobody takes it; exercise: mixed_quiz_2_climb; must fail: outputs; says: expected
@jax.jit
def step(params, Y, rate):
    slope = Y - jnp.exp(params["B"] + params["M"])
    params["B"] = params["B"] + rate * slope.mean(axis=0)
    params["M"] = params["M"] + rate * (slope - params["M"])
    return params


def climb(params, Y, rate, steps):
    for _ in range(steps):
        step(params, Y, rate)
    return params

# %% wrong_climb_two_functions
# wrong: two jitted functions for a step; exercise: mixed_quiz_2_climb; must fail: compilations; says: compiled 2 programs
@jax.jit
def slope_at(params, Y):
    return Y - jnp.exp(params["B"] + params["M"])


@jax.jit
def along(params, slope, rate):
    return {
        "B": params["B"] + rate * slope.mean(axis=0),
        "M": params["M"] + rate * (slope - params["M"]),
    }


def climb(params, Y, rate, steps):
    for _ in range(steps):
        params = along(params, slope_at(params, Y), rate)
    return params

# %% wrong_climb_update
# wrong: writes into the caller's dictionary; exercise: mixed_quiz_2_climb; must fail: purity; says: params['B']
@jax.jit
def step(params, Y, rate):
    slope = Y - jnp.exp(params["B"] + params["M"])
    return {
        "B": params["B"] + rate * slope.mean(axis=0),
        "M": params["M"] + rate * (slope - params["M"]),
    }


def climb(params, Y, rate, steps):
    for _ in range(steps):
        params.update(step(params, Y, rate))
    return params

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

# %% wrong_level_all
# wrong: divides by all sites; exercise: mixed_quiz_2_level; must fail: outputs; says: expected
@jax.jit
def level_where_found(counts):
    return jnp.log(jnp.where(counts > 0, counts, 1.0)).mean()

# %% wrong_level_log1p
# wrong: another logarithm; exercise: mixed_quiz_2_level; must fail: outputs; says: expected
@jax.jit
def level_where_found(counts):
    return jnp.log1p(counts).sum() / jnp.maximum((counts > 0).sum(), 1)

# %% wrong_level_log_of_product
# wrong: the logarithm of the product, which overflows for many sites; exercise: mixed_quiz_2_level; must fail: outputs; says: inf
@jax.jit
def level_where_found(counts):
    found = counts > 0
    product = jnp.prod(jnp.where(found, counts, 1.0))
    return jnp.log(product) / jnp.maximum(found.sum(), 1)

# %% wrong_level_nan
# wrong: NaN where it was found nowhere; exercise: mixed_quiz_2_level; must fail: outputs; says: nan
@jax.jit
def level_where_found(counts):
    return jnp.mean(jnp.log(counts), where=counts > 0)

# %% wrong_level_no_jit
# wrong: jit taken away; exercise: mixed_quiz_2_level; must fail: outputs; says: bool
def level_where_found(counts):
    found = counts[counts > 0]
    if found.size == 0:
        return 0.0
    return jnp.log(found).mean()

# %% wrong_level_note
# wrong: keeps the number of sites in a list; exercise: mixed_quiz_2_level; must fail: purity; says: sites
sites = []


@jax.jit
def level_where_found(counts):
    found = counts > 0
    sites.append(found.sum())
    return jnp.log(jnp.where(found, counts, 1.0)).sum() / jnp.maximum(found.sum(), 1)

# %% wrong_level_outside
# wrong: selects outside of the jitted function; exercise: mixed_quiz_2_level; must fail: outputs; says: bool
@jax.jit
def mean_log(found):
    return jnp.log(found).mean()


def level_where_found(counts):
    found = counts[counts > 0]
    return mean_log(found) if found.size else 0.0

# %% wrong_level_plus_eps
# wrong: a small number in the denominator; exercise: mixed_quiz_2_level; must fail: outputs; says: expected
@jax.jit
def level_where_found(counts):
    found = counts > 0
    return jnp.where(found, jnp.log(counts), 0).sum() / (found.sum() + 1e-3)

# %% wrong_level_room
# wrong: room for the leaves of the oaks; exercise: mixed_quiz_2_level; must fail: outputs; says: different sizes
@jax.jit
def level_where_found(counts):
    room = jnp.zeros(116).at[: len(counts)].set(counts)
    logs = jnp.log(jnp.where(room > 0, room, 1))
    return logs.sum() / jnp.maximum((room > 0).sum(), 1)

# %% wrong_level_weights
# wrong: the test as a weight, and 0 * inf is nan; exercise: mixed_quiz_2_level; must fail: outputs; says: nan
@jax.jit
def level_where_found(counts):
    weight = jnp.where(counts > 0, 1.0, 0.0)
    return (weight * jnp.log(counts)).sum() / jnp.maximum(weight.sum(), 1)

# %% wrong_six_all_loops
# wrong: takes each Python loop for an error; exercise: mixed_quiz_2_six; must fail: outputs; says: folded_until_one
answers = {
    "first_half": "works",
    "up_to_largest": "error",
    "in_pairs": "works",
    "in_one_row": "error",
    "halved_until_small": "error",
    "folded_until_one": "error",
}

# %% wrong_six_booleans
# wrong: True and False; exercise: mixed_quiz_2_six; must fail: outputs; says: first_half
answers = {
    "first_half": True,
    "up_to_largest": False,
    "in_pairs": True,
    "in_one_row": False,
    "halved_until_small": False,
    "folded_until_one": True,
}

# %% wrong_six_shapes
# wrong: takes jnp.prod of a shape for a number; exercise: mixed_quiz_2_six; must fail: outputs; says: in_one_row
answers = {
    "first_half": "works",
    "up_to_largest": "error",
    "in_pairs": "works",
    "in_one_row": "works",
    "halved_until_small": "error",
    "folded_until_one": "works",
}

# %% starter_axis
# starter: as shipped; exercise: mixed_quiz_2_axis; must fail: outputs; says: must have equal types

# %% starter_climb
# starter: as shipped; exercise: mixed_quiz_2_climb; must fail: outputs; says: expected

# %% starter_deviance
# starter: as shipped; exercise: mixed_quiz_2_deviance; must fail: outputs; says: nan

# %% starter_level
# starter: as shipped; exercise: mixed_quiz_2_level; must fail: outputs; says: bool

# %% starter_six
# starter: no answer yet; exercise: mixed_quiz_2_six; must fail: outputs; says: has no answer yet

# %% empty_axis
# empty: nothing; exercise: mixed_quiz_2_axis; must fail: outputs, purity, compilations; says: no function `principal_axis`

# %% empty_climb
# empty: nothing; exercise: mixed_quiz_2_climb; must fail: outputs; says: no function `climb`

# %% empty_deviance
# empty: nothing; exercise: mixed_quiz_2_deviance; must fail: outputs, purity, compilations; says: no function `deviance`

# %% empty_level
# empty: nothing; exercise: mixed_quiz_2_level; must fail: outputs, purity, compilations; says: no function `level_where_found`

# %% empty_six
# empty: nothing; exercise: mixed_quiz_2_six; must fail: outputs; says: no function `answers`
