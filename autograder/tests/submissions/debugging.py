"""Repairs of the lesson debugging, right and wrong, its starters and empty cells."""

# %% right_assert
# right: an assertion before; exercise: debugging
@jax.jit
def compute(B, group, O):
    return jax.vmap(lambda k, o: o + B[k])(group, O)


def log_means(B, group, O):
    assert group.min() >= 0 and group.max() < len(B), f"group out of range: {group}"
    return compute(B, group, O)

# %% right_check_after_scan
# right: one check of all losses; exercise: debugging_nan
def run(Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
        return b - rate * slope, loss

    b, losses = lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))
    where = jnp.argmax(~jnp.isfinite(losses))
    checkify.check(jnp.isfinite(losses).all(), "loss not finite at leaf {}", where)
    return b, losses.mean()


run = jax.jit(checkify.checkify(run, errors=checkify.user_checks))


def fit(Y, O, rate):
    err, out = run(Y, O, rate)
    if err.get() is not None:
        raise ArithmeticError(err.get())
    return out

# %% right_debug_nans
# right: debug_nans for as long as the call takes; exercise: debugging_nan
@jax.jit
def run(Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
        return b - rate * slope, loss

    b, losses = lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))
    return b, losses.mean()


def fit(Y, O, rate):
    with jax.debug_nans(True):
        return run(Y, O, rate)

# %% right_decorator
# right: a decorator that makes a checked function; exercise: debugging
import functools


def raises(function):
    checked = jax.jit(checkify.checkify(function))

    @functools.wraps(function)
    def call(*arguments):
        error, result = checked(*arguments)
        error.throw()
        return result

    return call


@raises
def log_means(B, group, O):
    n = B.shape[0]
    checkify.check(jnp.all(jnp.logical_and(group >= 0, group < n)), "index out of bounds")
    return O + B[group]

# %% right_fill
# right: fills with NaN where there is no row, and looks for it outside; exercise: debugging
@jax.jit
def look_up(B, group, O):
    safe = jnp.where(group < 0, B.shape[0], group)
    return O + B.at[safe].get(mode="fill", fill_value=jnp.nan)


def log_means(B, group, O):
    counts = look_up(B, group, O)
    if bool(jnp.isnan(counts).any()):
        raise ValueError(f"a group is not one of 0 to {len(B) - 1}")
    return counts

# %% right_first_bad_leaf
# right: the program returns all losses, and the caller names the leaf; exercise: debugging_nan
@jax.jit
def run(Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, leaf[0], leaf[1])
        return b - rate * slope, loss

    return lax.scan(step, jnp.zeros(Y.shape[1]), (Y, O))


def fit(Y, O, rate):
    b, losses = run(Y, O, rate)
    bad = np.flatnonzero(np.isnan(losses))
    if bad.size:
        raise ValueError(f"something went wrong on leaf {bad[0]}, loss NaN")
    return b, np.mean(losses)

# %% right_flag
# right: the program returns whether all groups have a row; exercise: debugging
from typing import NamedTuple


class Outcome(NamedTuple):
    counts: jax.Array
    smallest: jax.Array
    largest: jax.Array


@jax.jit
def outcome(B, group, O):
    return Outcome(O + jnp.take(B, group, axis=0, mode="clip"), group.min(), group.max())


def log_means(B, group, O):
    found = outcome(B, group, O)
    if found.smallest < 0 or found.largest >= len(B):
        raise KeyError(f"index {int(found.smallest)} or {int(found.largest)} has no row")
    return found.counts

# %% right_flag_in_carry
# right: the carry remembers the first bad leaf, in a fori_loop; exercise: debugging_nan
@jax.jit
def run(Y, O, rate):
    def step(i, carry):
        b, total, first = carry
        loss, slope = jax.value_and_grad(poisson_loss)(b, Y[i], O[i])
        first = jnp.where(jnp.isnan(loss) & (first < 0), i, first)
        return b - rate * slope, total + loss, first

    b, total, first = lax.fori_loop(0, len(Y), step, (jnp.zeros_like(Y[0]), 0.0, -1))
    return (b, total / len(Y)), first


def fit(Y, O, rate):
    result, first = run(Y, O, rate)
    if first >= 0:
        raise RuntimeError(f"NaN from leaf {first} on")
    return result

# %% right_float_checks
# right: checks that checkify writes; exercise: debugging_nan
def fit_leaves(Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
        return b - rate * slope, loss

    b, losses = lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))
    return b, losses.mean()


checked = jax.jit(checkify.checkify(fit_leaves, errors=checkify.float_checks))


def fit(Y, O, rate):
    error, result = checked(Y, O, rate)
    error.throw()
    return result

# %% right_index_checks_and_own
# right: index_checks for large groups, a check of its own for negative ones; exercise: debugging
def look_up(B, group, O):
    checkify.check(jnp.all(group >= 0), "negative group: {low}", low=group.min())
    return O + B[group]


checked = jax.jit(checkify.checkify(look_up, errors=checkify.index_checks | checkify.user_checks))


def log_means(B, group, O):
    error, result = checked(B, group, O)
    checkify.check_error(error)
    return result

# %% right_jitted_check
# right: a second jitted function looks at the losses; exercise: debugging_nan
@jax.jit
def _fit(Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
        return b - rate * slope, loss

    return lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))


@jax.jit
def _first(losses):
    bad = jnp.isnan(losses)
    return jnp.where(bad.any(), bad.argmax(), -1), losses.mean()


def fit(Y, O, rate):
    b, losses = _fit(Y, O, rate)
    leaf, loss = _first(losses)
    if leaf >= 0:
        raise RuntimeError(f"loss of leaf {int(leaf)}")
    return b, loss

# %% right_looks_after
# right: a plain if on the mean loss; exercise: debugging_nan
@jax.jit
def fit_leaves(Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
        return b - rate * slope, loss

    b, losses = lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))
    return b, losses.mean()


def fit(Y, O, rate):
    b, mean = fit_leaves(Y, O, rate)
    if not np.isfinite(mean):
        raise FloatingPointError(f"the mean loss is {mean}")
    return b, mean

# %% right_nan_invalid_value
# right: says what is wrong in NumPy's own words, and at which step; exercise: debugging_nan
@jax.jit
def run(Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
        return b - rate * slope, loss

    b, losses = lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))
    bad = jnp.isnan(losses)
    return (b, losses.mean()), jnp.where(bad.any(), jnp.argmax(bad), -1)


def fit(Y, O, rate):
    result, first = run(Y, O, rate)
    if first >= 0:
        raise FloatingPointError(f"invalid value encountered in the loss of step {int(first)}")
    return result

# %% right_numpy_before
# right: NumPy looks at the groups before the jitted function; exercise: debugging
@jax.jit
def _log_means(B, group, O):
    return O + B[group]


def log_means(B, group, O):
    numbers = np.asarray(group)
    outside = numbers[(numbers < 0) | (numbers >= B.shape[0])]
    if outside.size:
        raise IndexError(f"groups {outside.tolist()} are out of range(0, {B.shape[0]})")
    return _log_means(B, group, O)

# %% right_one_hot_program
# right: a class of its own for the error, and a matrix product; exercise: debugging
class UnknownGroup(Exception):
    pass


@jax.jit
def look_up(B, group, O):
    member = jax.nn.one_hot(group, B.shape[0])
    rows = jnp.matmul(member, B, precision="highest")
    return O + rows, member.sum(axis=1) == 1


def log_means(B, group, O):
    counts, known = look_up(B, group, O)
    unknown = np.flatnonzero(~np.asarray(known))
    if len(unknown) > 0:
        raise UnknownGroup(f"leaf {unknown[0]} has group {group[unknown[0]]}")
    return counts

# %% right_raises_in_callback
# right: the error is raised in a pure_callback; exercise: debugging
def _raise(group, n):
    if (np.asarray(group) < 0).any() or (np.asarray(group) >= n).any():
        raise IndexError(f"group out of range: {group}")
    return np.asarray(group)


@jax.jit
def log_means(B, group, O):
    rows = len(B)
    group = jax.pure_callback(
        lambda g: _raise(g, rows), jax.ShapeDtypeStruct(group.shape, group.dtype), group
    )
    return O + B[group]

# %% right_number_of_the_site_alone
# right: the error gives the site's number and no other word; exercise: debugging_nan
@jax.jit
def fit_and_first(Y, O, rate):
    def step(b, site):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *site)
        return b - rate * slope, loss

    b, losses = lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))
    return b, losses.mean(), jnp.argwhere(jnp.isnan(losses), size=1, fill_value=-1)[0, 0]


def fit(Y, O, rate):
    b, loss, first = fit_and_first(Y, O, rate)
    if (number := int(first)) >= 0:
        raise FloatingPointError(f"site {number}")
    return b, loss

# %% right_stops_early
# right: a while_loop that ends at the first NaN, and an error that names the leaf; exercise: debugging_nan
@jax.jit
def _fit(Y, O, rate):
    def cond(s):
        i, _, total = s
        return (i < len(Y)) & ~jnp.isnan(total)

    def body(s):
        i, b, total = s
        loss, slope = jax.value_and_grad(poisson_loss)(b, Y[i], O[i])
        return i + 1, b - rate * slope, total + loss

    i, b, total = lax.while_loop(cond, body, (0, jnp.zeros_like(Y[0]), jnp.float32(0)))
    return i, b, total / len(Y)


def fit(Y, O, rate):
    i, b, loss = _fit(Y, O, rate)
    if np.isnan(loss):
        raise FloatingPointError(f"leaf {int(i) - 1} has a bad loss")
    return b, loss

# %% wrong_always_raises
# wrong: raises for good groups too; exercise: debugging; must fail: outputs; says: out of range
@jax.jit
def look_up(B, group, O):
    return O + B[group]


def log_means(B, group, O):
    if group.max() >= len(B) - 1:
        raise IndexError("a group is out of range")
    return look_up(B, group, O)

# %% wrong_callback_raises
# wrong: the error is raised in jax.debug.callback; exercise: debugging_nan; must fail: purity; says: jax.debug.callback
def complain(loss):
    if np.isnan(loss):
        raise ValueError("the loss is NaN")


@jax.jit
def fit(Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
        jax.debug.callback(complain, loss)
        return b - rate * slope, loss

    b, losses = lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))
    return b, losses.mean()

# %% wrong_check_without_checkify
# wrong: a check, and no checkify around it; exercise: debugging_nan; must fail: outputs; says: Make it once
@jax.jit
def fit(Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
        checkify.check(~jnp.isnan(loss), "the loss is NaN")
        return b - rate * slope, loss

    b, losses = lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))
    return b, losses.mean()

# %% wrong_checkify_each_call
# wrong: a new checked function at each call; exercise: debugging; must fail: compilations; says: again
def look_up(B, group, O):
    inside = (group >= 0) & (group < len(B))
    checkify.check(inside.all(), "a group is out of range")
    return O + B[group]


def log_means(B, group, O):
    error, result = jax.jit(checkify.checkify(look_up))(B, group, O)
    error.throw()
    return result

# %% wrong_checks_data_only
# wrong: looks at the data, and not at the fit; exercise: debugging_nan; must fail: outputs; says: a rate of 1000
@jax.jit
def run(Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
        return b - rate * slope, loss

    b, losses = lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))
    return b, losses.mean()


def fit(Y, O, rate):
    if not (np.isfinite(O).all() and np.isfinite(Y).all()):
        raise ValueError("the data are not finite")
    return run(Y, O, rate)

# %% wrong_checks_offsets_only
# wrong: looks at the offsets alone; exercise: debugging_nan; must fail: outputs; says: a missing count
@jax.jit
def run(Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
        return b - rate * slope, loss

    b, losses = lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))
    return b, losses.mean()


def fit(Y, O, rate):
    if not jnp.isfinite(O).all():
        raise ValueError("an offset is not finite")
    return run(Y, O, rate)

# %% wrong_clips
# wrong: clips the groups; exercise: debugging; must fail: outputs; says: nobody learns
@jax.jit
def log_means(B, group, O):
    return O + B[jnp.clip(group, 0, len(B) - 1)]

# %% wrong_counts_the_groups
# wrong: only counts the groups, so that 1, 2, 3 pass for 0, 1, 2; exercise: debugging; must fail: outputs; says: numbered from 1
@jax.jit
def look_up(B, group, O):
    return O + B[group]


def log_means(B, group, O):
    if len(np.unique(group)) > len(B):
        raise IndexError(f"a group is out of range: B has {len(B)} rows")
    return look_up(B, group, O)

# %% wrong_debug_print_left
# wrong: jax.debug.print is left in; exercise: debugging; must fail: purity; says: jax.debug.print
@jax.jit
def look_up(B, group, O):
    jax.debug.print("largest group {g}", g=group.max())
    return O + B[group]


def log_means(B, group, O):
    if group.min() < 0 or group.max() >= len(B):
        raise IndexError("a group is out of range")
    return look_up(B, group, O)

# %% wrong_fill_only
# wrong: returns NaN, and raises nothing; exercise: debugging; must fail: outputs; says: nobody learns
@jax.jit
def log_means(B, group, O):
    return O + B.at[group].get(mode="fill", fill_value=jnp.nan)

# %% wrong_fill_takes_negative
# wrong: fill takes -1 for the last row; exercise: debugging; must fail: outputs; says: group -1
@jax.jit
def look_up(B, group, O):
    return O + B.at[group].get(mode="fill", fill_value=jnp.nan)


def log_means(B, group, O):
    counts = look_up(B, group, O)
    if jnp.isnan(counts).any():
        raise ValueError("a group is out of range")
    return counts

# %% wrong_index_checks_only
# wrong: index_checks, which take -1 for the last row; exercise: debugging; must fail: outputs; says: group -1
def look_up(B, group, O):
    return O + B[group]


checked = jax.jit(checkify.checkify(look_up, errors=checkify.index_checks))


def log_means(B, group, O):
    error, result = checked(B, group, O)
    error.throw()
    return result

# %% wrong_jits_each_call
# wrong: a new program at each call; exercise: debugging_nan; must fail: compilations; says: again
def fit(Y, O, rate):
    @jax.jit
    @checkify.checkify
    def run(Y, O, rate):
        def step(b, leaf):
            loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
            checkify.check(~jnp.isnan(loss), "the loss is NaN")
            return b - rate * slope, loss

        b, losses = lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))
        return b, losses.mean()

    error, result = run(Y, O, rate)
    error.throw()
    return result

# %% wrong_logs
# wrong: logs each call; exercise: debugging; must fail: purity; says: logging.warning() is called
import logging

look = jax.jit(lambda B, g, O: O + B[g])


def log_means(B, group, O):
    logging.warning("looking up %s", group)
    if np.any(np.asarray(group) >= len(B)) or np.any(np.asarray(group) < 0):
        raise IndexError("group out of range")
    return look(B, group, O)

# %% wrong_loop_of_steps
# wrong: a Python loop that looks at each step; exercise: debugging_nan; must fail: compilations; says: one after another
@jax.jit
def step(b, y, o, rate):
    loss, slope = jax.value_and_grad(poisson_loss)(b, y, o)
    return b - rate * slope, loss


def fit(Y, O, rate):
    b, losses = jnp.zeros(Y.shape[1]), []
    for i, (y, o) in enumerate(zip(Y, O, strict=True)):
        b, loss = step(b, y, o, rate)
        if np.isnan(loss):
            raise ValueError(f"NaN at leaf {i}")
        losses.append(loss)
    return b, jnp.mean(jnp.stack(losses))

# %% wrong_nan_four_leaves_a_call
# wrong: four leaves in each call, so that the oaks take 29 calls; exercise: debugging_nan; must fail: compilations; says: call
@jax.jit
def run(b, Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
        return b - rate * slope, loss

    return lax.scan(step, b, (Y, O))


def fit(Y, O, rate):
    b, losses = jnp.zeros(Y.shape[1]), []
    for at in range(0, len(Y), 4):
        b, part = run(b, Y[at : at + 4], O[at : at + 4], rate)
        if jnp.isnan(part).any():
            raise FloatingPointError(f"a loss is NaN among leaves {at} to {at + 3}")
        losses.append(part)
    return b, jnp.concatenate(losses).mean()

# %% wrong_nan_leaves_of_the_oaks
# wrong: the leaves of the oaks, and no more; exercise: debugging_nan; must fail: outputs; says: fit
def fit_leaves(Y, O, rate):
    def step(b, i):
        loss, slope = jax.value_and_grad(poisson_loss)(b, Y[i], O[i])
        checkify.check(~jnp.isnan(loss), "the loss is NaN at leaf {leaf}", leaf=i)
        return b - rate * slope, loss

    b, losses = lax.scan(step, jnp.zeros_like(Y[0]), jnp.arange(min(len(Y), 116)))
    return b, losses.mean()


checked_fit = jax.jit(checkify.checkify(fit_leaves))


def fit(Y, O, rate):
    error, result = checked_fit(Y, O, rate)
    error.throw()
    return result

# %% wrong_nan_looks_at_arguments
# wrong: looks at data and rate, so that a rate of 0.5 at which the oaks diverge raises nothing; exercise: debugging_nan; must fail: outputs; says: a rate of 0.5
@jax.jit
def run(Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
        return b - rate * slope, loss

    b, losses = lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))
    return b, losses.mean()


def fit(Y, O, rate):
    if not np.isfinite(O).all():
        raise ValueError("a leaf has no reads: its offset is not finite")
    if np.isnan(Y).any():
        raise ValueError("a count is missing (NaN)")
    if rate >= 1:
        raise ValueError(f"the rate {rate} is too large")
    return run(Y, O, rate)

# %% wrong_nan_to_num
# wrong: replaces the NaN; exercise: debugging_nan; must fail: outputs; says: nobody learns
@jax.jit
def fit(Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
        return b - rate * jnp.nan_to_num(slope), jnp.nan_to_num(loss)

    b, losses = lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))
    return b, losses.mean()

# %% wrong_needs_every_group
# wrong: raises for right groups, too, if a row of B belongs to none of the leaves; exercise: debugging; must fail: outputs; says: not in the range
@jax.jit
def look_up(B, group, O):
    return O + B[group]


def log_means(B, group, O):
    if not np.array_equal(np.unique(group), np.arange(len(B))):
        raise ValueError(f"the groups are not in the range 0 to {len(B) - 1}")
    return look_up(B, group, O)

# %% wrong_never_thrown
# wrong: the error is never thrown; exercise: debugging; must fail: outputs; says: nobody learns
def look_up(B, group, O):
    inside = (group >= 0) & (group < len(B))
    checkify.check(inside.all(), "a group is out of range")
    return O + B[group]


checked = jax.jit(checkify.checkify(look_up))


def log_means(B, group, O):
    _, result = checked(B, group, O)
    return result

# %% wrong_no_jit
# wrong: checked and not jitted; exercise: debugging; must fail: compilations; says: jax.jit
def log_means(B, group, O):
    if group.min() < 0 or group.max() >= len(B):
        raise IndexError("a group is out of range")
    return O + B[group]

# %% wrong_no_words
# wrong: an error without words; exercise: debugging; must fail: outputs; says: must understand
@jax.jit
def look_up(B, group, O):
    return O + B[group]


def log_means(B, group, O):
    if group.min() < 0 or group.max() >= len(B):
        raise ValueError
    return look_up(B, group, O)

# %% wrong_off_by_one
# wrong: admits one group too many; exercise: debugging; must fail: outputs; says: group 3
@jax.jit
def look_up(B, group, O):
    return O + B[group]


def log_means(B, group, O):
    if (group < 0).any() or (group > len(B)).any():
        raise ValueError("a group is out of range")
    return look_up(B, group, O)

# %% wrong_print_left_in_step
# wrong: jax.debug.print is left in the step; exercise: debugging_nan; must fail: purity; says: jax.debug.print
@jax.jit
def run(Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
        jax.debug.print("loss {loss}", loss=loss)
        return b - rate * slope, loss

    b, losses = lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))
    return b, losses.mean()


def fit(Y, O, rate):
    result = run(Y, O, rate)
    if jnp.isnan(result[1]):
        raise FloatingPointError("the loss is NaN")
    return result

# %% wrong_prints
# wrong: prints that something is wrong; exercise: debugging; must fail: outputs, purity; says: nobody learns
@jax.jit
def look_up(B, group, O):
    return O + B[group]


def log_means(B, group, O):
    if group.min() < 0 or group.max() >= len(B):
        print("a group is out of range")
    return look_up(B, group, O)

# %% wrong_raises_in_jit
# wrong: an if in the jitted function; exercise: debugging; must fail: outputs; says: TracerBoolConversionError
@jax.jit
def log_means(B, group, O):
    if (group < 0).any() or (group >= len(B)).any():
        raise IndexError("a group is out of range")
    return O + B[group]

# %% wrong_raises_while_tracing
# wrong: an if in the step; exercise: debugging_nan; must fail: outputs; says: TracerBoolConversionError
@jax.jit
def fit(Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
        if jnp.isnan(loss):
            raise ValueError("NaN")
        return b - rate * slope, loss

    b, losses = lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))
    return b, losses.mean()

# %% wrong_returns_error
# wrong: leaves the throwing to the caller; exercise: debugging; must fail: outputs; says: nobody learns
def look_up(B, group, O):
    inside = (group >= 0) & (group < len(B))
    checkify.check(inside.all(), "a group is out of range")
    return O + B[group]


log_means = jax.jit(checkify.checkify(look_up))

# %% wrong_returns_the_losses
# wrong: returns all losses in the place of their mean; exercise: debugging_nan; must fail: outputs; says: has shape
@jax.jit
def run(Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
        return b - rate * slope, loss

    return lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))


def fit(Y, O, rate):
    b, losses = run(Y, O, rate)
    if jnp.isnan(losses).any():
        raise FloatingPointError("the loss is NaN")
    return b, losses

# %% wrong_room_for_the_oaks
# wrong: room for the leaves of the oaks; exercise: debugging; must fail: outputs; says: shape
def look_up(B, group, O):
    n = len(group)
    group = jnp.zeros(116, group.dtype).at[:n].set(group)[:n]
    inside = (group >= 0) & (group < len(B))
    worst = group[jnp.argmin(inside)]
    checkify.check(inside.all(), "group {worst} is out of range: B has no such row", worst=worst)
    return O + B[group]


checked_look_up = jax.jit(checkify.checkify(look_up))


def log_means(B, group, O):
    error, result = checked_look_up(B, group, O)
    error.throw()
    return result

# %% wrong_skips_bad_leaves
# wrong: skips leaves with NaN; exercise: debugging_nan; must fail: outputs; says: nobody learns
@jax.jit
def fit(Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
        bad = jnp.isnan(loss)
        return jnp.where(bad, b, b - rate * slope), jnp.where(bad, 0.0, loss)

    b, losses = lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))
    return b, losses.mean()

# %% wrong_three_rows
# wrong: takes three for the number of rows; exercise: debugging; must fail: outputs; says: in the call `log_means(float32[5,2]
def look_up(B, group, O):
    checkify.check(((group >= 0) & (group < 3)).all(), "group out of range")
    return O + B[group]


checked = jax.jit(checkify.checkify(look_up))


def log_means(B, group, O):
    error, result = checked(B, group, O)
    error.throw()
    return result

# %% wrong_throws_in_jit
# wrong: throws in a jitted function; exercise: debugging_nan; must fail: outputs; says: Make it once
def run(Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
        checkify.check(~jnp.isnan(loss), "the loss is NaN")
        return b - rate * slope, loss

    b, losses = lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))
    return b, losses.mean()


@jax.jit
def fit(Y, O, rate):
    error, result = checkify.checkify(run)(Y, O, rate)
    error.throw()
    return result

# %% wrong_wordless
# wrong: the text is only `error`; exercise: debugging_nan; must fail: outputs; says: must understand
@jax.jit
def run(Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
        return b - rate * slope, loss

    b, losses = lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))
    return b, losses.mean()


def fit(Y, O, rate):
    result = run(Y, O, rate)
    if jnp.isnan(result[1]):
        raise Exception("error")
    return result

# %% starter
# starter: as shipped; exercise: debugging; must fail: outputs; says: nobody learns that it is wrong

# %% starter_debugging_nan
# starter: as shipped; exercise: debugging_nan; must fail: outputs; says: nobody learns that it is wrong

# %% empty
# empty: nothing in the cell; exercise: debugging; must fail: outputs; says: There is no function

# %% empty_debugging_nan
# empty: nothing in the cell; exercise: debugging_nan; must fail: outputs; says: There is no function
