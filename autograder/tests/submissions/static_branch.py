"""Repairs of the lesson static_branch, right and wrong, its starters and empty cells."""

# %% right_assigned
# right: jit applied afterwards; exercise: static_branch
def box_cox(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power


box_cox = jax.jit(box_cox, static_argnums=1)

# %% right_cached_formula
# right: the formula for each power made once, by lru_cache; exercise: static_branch
from functools import lru_cache, partial


@lru_cache
def formula(power):
    if power == 0:
        return jnp.log
    return lambda y: (y**power - 1) / power


@partial(jax.jit, static_argnames="power")
def box_cox(counts, power):
    return formula(power)(counts + 1)

# %% right_cond
# right: lax.cond on a traced power; exercise: static_branch
@jax.jit
def box_cox(counts, power):
    divisor = jnp.where(power == 0, 1, power)
    return jax.lax.cond(
        power == 0,
        lambda y: jnp.log(y),
        lambda y: (y**divisor - 1) / divisor,
        counts + 1,
    )

# %% right_inline
# right: a jitted function with inline=True; exercise: static_branch
from functools import partial


@partial(jax.jit, static_argnames="power", inline=True)
def box_cox(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power

# %% right_match
# right: match on the static power, with a local list changed; exercise: static_branch
@jax.jit(static_argnames="power")
def box_cox(counts, power):
    notes = []
    notes.append(power)
    match notes[0]:
        case 0:
            return jnp.log(counts + 1)
        case p:
            return ((counts + 1) ** p - 1) / p

# %% right_partial
# right: the form that works in all releases; exercise: static_branch
from functools import partial


@partial(jax.jit, static_argnums=(1,))
def box_cox(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power

# %% right_static_argnames
# right: static by name; exercise: static_branch
@jax.jit(static_argnames="power")
def box_cox(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power

# %% right_where
# right: both branches, one program for all powers; exercise: static_branch
@jax.jit
def box_cox(counts, power):
    safe = jnp.where(power == 0, 1, power)
    return jnp.where(power == 0, jnp.log(counts + 1), ((counts + 1) ** safe - 1) / safe)

# %% right_wrapper
# right: a plain function that only calls the jitted one; exercise: static_branch
@jax.jit(static_argnums=1)
def _box_cox(counts, power):
    if not power:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power


def box_cox(counts, power):
    return _box_cox(counts, power)

# %% wrong_array_power
# wrong: static, but handed over as an array; exercise: static_branch; must fail: outputs; says: must be hashable
@jax.jit(static_argnames="power")
def transform(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power


def box_cox(counts, power):
    return transform(counts, power=jnp.asarray(power))

# %% wrong_asarray_of_static
# wrong: makes an array of the static power; exercise: static_branch; must fail: outputs; says: Nothing has to become static
from functools import partial


@partial(jax.jit, static_argnames="power")
def box_cox(counts, power):
    power = jnp.asarray(power)
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power

# %% wrong_cached_array
# wrong: lru_cache on a function of arrays; exercise: static_branch; must fail: outputs; says: lru_cache
from functools import lru_cache, partial


@lru_cache
def shifted(counts):
    return counts + 1


@partial(jax.jit, static_argnames="power")
def box_cox(counts, power):
    if power == 0:
        return jnp.log(shifted(counts))
    return (shifted(counts) ** power - 1) / power

# %% wrong_cached_by_shape
# wrong: results cached by shape; exercise: static_branch; must fail: purity; says: a tracer is left in `known
from functools import partial

known = {}


@partial(jax.jit, static_argnames="power")
def transform(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power


def box_cox(counts, power):
    key = counts.shape, power
    if key not in known:
        known[key] = transform(counts, power)
    return known[key]

# %% wrong_debug_print
# wrong: debug.print left in; exercise: static_branch; must fail: purity; says: jax.debug.print
@jax.jit(static_argnames="power")
def box_cox(counts, power):
    jax.debug.print("{}", counts)
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power

# %% wrong_dictionary_of_programs
# wrong: a dictionary of jitted functions; exercise: static_branch; must fail: compilations; says: the task asks for one
programs = {}


def make(power):
    if power == 0:
        return jax.jit(lambda counts: jnp.log(counts + 1))
    return jax.jit(lambda counts: ((counts + 1) ** power - 1) / power)


for _p in range(-20, 20):
    programs[_p] = make(_p)


def box_cox(counts, power):
    return programs[power](counts)

# %% wrong_half_jitted
# wrong: only one branch is jitted; exercise: static_branch; must fail: compilations; says: Put the whole function under one jax.jit
@jax.jit
def log_part(counts):
    return jnp.log(counts + 1)


def box_cox(counts, power):
    if power == 0:
        return log_part(counts)
    return ((counts + 1) ** power - 1) / power

# %% wrong_highest_power
# wrong: all powers above 2 are taken for 3; exercise: static_branch; must fail: outputs; says: values differ
from functools import partial


@partial(jax.jit, static_argnames="power")
def box_cox(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    if power == 1:
        return counts
    if power == 2:
        return ((counts + 1) ** 2 - 1) / 2
    return ((counts + 1) ** 3 - 1) / 3

# %% wrong_history
# wrong: keeps a history; exercise: static_branch; must fail: purity; says: history
history = []


@jax.jit(static_argnames="power")
def box_cox(counts, power):
    history.append(power)
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power

# %% wrong_int_of_tracer
# wrong: int() of a tracer; exercise: static_branch; must fail: outputs; says: plain Python number is needed
@jax.jit
def box_cox(counts, power):
    power = int(power)
    return jnp.log(counts + 1) if power == 0 else ((counts + 1) ** power - 1) / power

# %% wrong_jit_inside
# wrong: a new jitted function at each call; exercise: static_branch; must fail: compilations; says: compiled again
def box_cox(counts, power):
    transform = jax.jit(lambda y: jnp.log(y + 1) if power == 0 else ((y + 1) ** power - 1) / power)
    return transform(counts)

# %% wrong_kept_by_identity
# wrong: results kept by the identity of the counts; exercise: static_branch; must fail: purity; says: known
from functools import partial

known = {}


@partial(jax.jit, static_argnames="power")
def transform(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power


def box_cox(counts, power):
    key = id(counts), power
    if key not in known:
        known[key] = counts, transform(counts, power)
    return known[key][1]

# %% wrong_log_of_counts
# wrong: log without the 1, infinite at zero counts; exercise: static_branch; must fail: outputs; says: result[0, 0] is -inf
@jax.jit(static_argnames="power")
def box_cox(counts, power):
    if power == 0:
        return jnp.log(counts)
    return ((counts + 1) ** power - 1) / power

# %% wrong_logs_of_the_oaks
# wrong: a table of logarithms, up to the largest count of the oaks; exercise: static_branch; must fail: outputs; says: values differ
from functools import partial


@partial(jax.jit, static_argnames="power")
def box_cox(counts, power):
    if power == 0:
        logs = jnp.log(jnp.arange(1, 2230, dtype=jnp.float32))
        return logs[counts.astype(jnp.int32)]
    return ((counts + 1) ** power - 1) / power

# %% wrong_misspelt_name
# wrong: static_argnames names no argument; exercise: static_branch; must fail: outputs; says: Spell names as in the `def` line
@jax.jit(static_argnames="p")
def box_cox(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power

# %% wrong_no_jit
# wrong: the decorator is gone; exercise: static_branch; must fail: compilations; says: Put the whole function under one jax.jit
def box_cox(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power

# %% wrong_no_negative_powers
# wrong: multiplies power times, which negative powers are not; exercise: static_branch; must fail: outputs; says: values differ
from functools import partial


@partial(jax.jit, static_argnames="power")
def box_cox(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    product = jnp.ones_like(counts)
    for _ in range(power):
        product = product * (counts + 1)
    return (product - 1) / power

# %% wrong_numpy_log
# wrong: NumPy on a tracer; exercise: static_branch; must fail: outputs; says: Use `jax.numpy`
import numpy as np


@jax.jit(static_argnames="power")
def box_cox(counts, power):
    if power == 0:
        return np.log(counts + 1)
    return ((counts + 1) ** power - 1) / power

# %% wrong_one_branch
# wrong: the if is gone with one of its branches; exercise: static_branch; must fail: outputs; says: expected
@jax.jit
def box_cox(counts, power):
    return jnp.log(counts + 1)

# %% wrong_other_branch
# wrong: divides by power 0; exercise: static_branch; must fail: outputs; says: NaN comes from
@jax.jit
def box_cox(counts, power):
    return ((counts + 1) ** power - 1) / power

# %% wrong_powers_from_one
# wrong: takes every power below 0 for 1; exercise: static_branch; must fail: outputs; says: result
@jax.jit
def box_cox(counts, power):
    return jax.lax.cond(
        power == 0,
        lambda y: jnp.log(y),
        lambda y: (y ** jnp.maximum(power, 1) - 1) / jnp.maximum(power, 1),
        counts + 1,
    )

# %% wrong_powers_listed
# wrong: one jitted function for each power that is expected; exercise: static_branch; must fail: outputs; says: KeyError
by_power = {
    0: jax.jit(lambda counts: jnp.log(counts + 1)),
    1: jax.jit(lambda counts: counts),
    2: jax.jit(lambda counts: ((counts + 1) ** 2 - 1) / 2),
    3: jax.jit(lambda counts: ((counts + 1) ** 3 - 1) / 3),
}


def box_cox(counts, power):
    return by_power[power](counts)

# %% wrong_program_per_call
# wrong: a static number that changes at every call; exercise: static_branch; must fail: purity, compilations; says: calls
calls = 0


@jax.jit(static_argnames=("power", "call"))
def transform(counts, power, call):
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power


def box_cox(counts, power):
    global calls
    calls += 1
    return transform(counts, power, calls)

# %% wrong_room_for_the_oaks
# wrong: written into a table with room for the oaks; exercise: static_branch; must fail: outputs; says: Arrays of different sizes
from functools import partial


@partial(jax.jit, static_argnames="power")
def box_cox(counts, power):
    room = jnp.zeros(116 * 114).at[: counts.size].set(counts.ravel())
    values = jnp.log(room + 1) if power == 0 else ((room + 1) ** power - 1) / power
    return values[: counts.size].reshape(counts.shape)

# %% wrong_set_of_powers
# wrong: the powers traced so far are kept in a set; exercise: static_branch; must fail: purity; says: changes from a set of 0
from functools import partial

compiled = set()


@partial(jax.jit, static_argnames="power")
def box_cox(counts, power):
    compiled.add(power)
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power

# %% wrong_swallows_the_error
# wrong: catches the error instead of mending it; exercise: static_branch; must fail: outputs; says: values differ
@jax.jit
def box_cox(counts, power):
    try:
        if power == 0:
            return jnp.log(counts + 1)
    except jax.errors.TracerBoolConversionError:
        pass
    return ((counts + 1) ** jnp.maximum(power, 1) - 1) / jnp.maximum(power, 1)

# %% wrong_switch_of_twenty
# wrong: a switch over the powers from -10 to 10, which takes 11 for 10; exercise: static_branch; must fail: outputs; says: values differ
def formula(power):
    if power == 0:
        return jnp.log
    return lambda y: (y**power - 1) / power


branches = [formula(p) for p in range(-10, 11)]


@jax.jit
def box_cox(counts, power):
    return jax.lax.switch(power + 10, branches, counts + 1)

# %% wrong_three_layers
# wrong: three jitted layers, one after another; exercise: static_branch; must fail: compilations; says: programs
from functools import partial


@jax.jit
def plus_one(counts):
    return counts + 1


@partial(jax.jit, static_argnames="power")
def raised(x, power):
    return jnp.log(x) if power == 0 else x**power - 1


@partial(jax.jit, static_argnames="power")
def divided(x, power):
    return x if power == 0 else x / power


def box_cox(counts, power):
    return divided(raised(plus_one(counts), power), power)

# %% wrong_two_functions
# wrong: two jitted functions, chosen by Python; exercise: static_branch; must fail: compilations; says: the task asks for one
from functools import partial


@jax.jit
def logs(counts):
    return jnp.log(counts + 1)


@partial(jax.jit, static_argnames="power")
def powers(counts, power):
    return ((counts + 1) ** power - 1) / power


def box_cox(counts, power):
    if power == 0:
        return logs(counts)
    return powers(counts, power)

# %% wrong_weights
# wrong: the formula that does not count has the weight 0, and 0 * nan is nan; exercise: static_branch; must fail: outputs; says: nan
@jax.jit
def box_cox(counts, power):
    is_zero = jnp.asarray(power == 0, jnp.float32)
    by_power = ((counts + 1) ** power - 1) / power
    return is_zero * jnp.log(counts + 1) + (1 - is_zero) * by_power

# %% wrong_wrong_argument_static
# wrong: counts static in place of power; exercise: static_branch; must fail: outputs; says: must be hashable
@jax.jit(static_argnums=0)
def box_cox(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power

# %% starter
# starter: as shipped; exercise: static_branch; must fail: outputs; says: TracerBoolConversionError

# %% empty
# empty: nothing in the cell; exercise: static_branch; must fail: outputs; says: There is no function
