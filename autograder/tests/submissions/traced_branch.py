"""Repairs of the lesson traced_branch, right and wrong, its starters and empty cells."""

# %% right_cond
# right: lax.cond with operands; exercise: traced_branch
@jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    return lax.cond(
        variance > mean,
        lambda m, v: jnp.log1p((v - m) / m**2),
        lambda m, v: 0.0,
        mean,
        variance,
    )

# %% right_jnp_select
# right: jnp.select; exercise: traced_branch_switch
@jax.jit
def transform(counts, kind):
    return jnp.select(
        [kind == 0, kind == 1], [jnp.log1p(counts), jnp.sqrt(counts)], jnp.minimum(counts, 1)
    )

# %% right_maximum
# right: no branch at all; exercise: traced_branch
@jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    excess = jnp.maximum(variance - mean, 0)
    return jnp.log1p(excess / jnp.where(mean > 0, mean, 1) ** 2)

# %% right_nested_cond
# right: nested lax.cond; exercise: traced_branch_switch
@jax.jit
def transform(counts, kind):
    return lax.cond(
        kind == 0,
        jnp.log1p,
        lambda y: lax.cond(kind == 1, jnp.sqrt, lambda z: jnp.sign(z), y),
        counts,
    )

# %% right_nested_where
# right: nested jnp.where; exercise: traced_branch_switch
@jax.jit
def transform(counts, kind):
    presence = (counts > 0).astype(counts.dtype)
    return jnp.where(kind == 0, jnp.log1p(counts), jnp.where(kind == 1, jnp.sqrt(counts), presence))

# %% right_select
# right: lax.select of equal dtypes; exercise: traced_branch
@jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    value = jnp.log(1 + (variance - mean) / mean**2)
    return lax.select(variance > mean, value, jnp.zeros_like(value))

# %% right_stack
# right: an array of all three, indexed; exercise: traced_branch_switch
@jax.jit
def transform(counts, kind):
    return jnp.stack([jnp.log1p(counts), jnp.sqrt(counts), jnp.sign(counts)])[kind]

# %% right_subtracted_logarithms
# right: the logarithm of a fraction as the difference of two; exercise: traced_branch
@jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    ratio = jnp.log(mean**2 + jnp.maximum(variance - mean, 0)) - 2 * jnp.log(mean)
    return jnp.where(variance > mean, ratio, 0.0)

# %% right_switch
# right: lax.switch by a comparison made an integer; exercise: traced_branch
@jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    return lax.switch(
        (variance > mean).astype(jnp.int32),
        [lambda: jnp.zeros_like(mean), lambda: jnp.log(1 + (variance - mean) / mean**2)],
    )

# %% right_switch_named
# right: lax.switch; exercise: traced_branch_switch
def presence(y):
    return jnp.where(y > 0, 1, 0).astype(y.dtype)


@jax.jit
def transform(counts, kind):
    return lax.switch(kind, (jnp.log1p, jnp.sqrt, presence), counts)

# %% right_where
# right: jnp.where; exercise: traced_branch
@jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    return jnp.where(variance > mean, jnp.log(1 + (variance - mean) / mean**2), 0.0)

# %% wrong_abs
# wrong: the sign is gone instead of the branch; exercise: traced_branch; must fail: outputs; says: expected 0
@jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    return jnp.log(1 + jnp.abs(variance - mean) / jnp.maximum(mean, 1e-6) ** 2)

# %% wrong_bool
# wrong: asks for a bool by name; exercise: traced_branch; must fail: outputs; says: `jnp.where` or `lax.cond`
@jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    return lax.cond(
        bool(variance > mean), lambda: jnp.log(1 + (variance - mean) / mean**2), lambda: 0.0
    )

# %% wrong_bool_branch
# wrong: one branch gives booleans; exercise: traced_branch_switch; must fail: outputs; says: same dtype
@jax.jit
def transform(counts, kind):
    return lax.switch(kind, [jnp.log1p, jnp.sqrt, lambda y: y > 0], counts)

# %% wrong_branch_between_two
# wrong: a Python branch between two jitted functions; exercise: traced_branch; must fail: compilations; says: outside of any jitted function
@jax.jit
def moments(counts):
    return counts.mean(), counts.var()


@jax.jit
def positive_part(mean, variance):
    return jnp.log(1 + (variance - mean) / mean**2)


def latent_variance(counts):
    mean, variance = moments(counts)
    if variance > mean:
        return positive_part(mean, variance)
    return jnp.zeros_like(mean)

# %% wrong_branches_swapped
# wrong: the branches of cond in the wrong order; exercise: traced_branch; must fail: outputs; says: expected
@jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    return lax.cond(variance > mean, lambda: 0.0, lambda: jnp.log(1 + (variance - mean) / mean**2))

# %% wrong_choose
# wrong: jnp.choose in its default mode; exercise: traced_branch_switch; must fail: outputs; says: mode="clip"
@jax.jit
def transform(counts, kind):
    return jnp.choose(kind, [jnp.log1p(counts), jnp.sqrt(counts), jnp.sign(counts)])

# %% wrong_cond_arguments
# wrong: one branch does not take the arguments; exercise: traced_branch; must fail: outputs; says: calls `f(*args)`
@jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    return lax.cond(
        variance > mean, lambda m, v: jnp.log(1 + (v - m) / m**2), lambda: 0.0, mean, variance
    )

# %% wrong_counted_from_one
# wrong: counts the branches from 1; exercise: traced_branch_switch; must fail: outputs; says: expected
@jax.jit
def transform(counts, kind):
    return lax.switch(kind - 1, [jnp.log1p, jnp.sqrt, jnp.sign], counts)

# %% wrong_dict
# wrong: a dictionary asked for a tracer; exercise: traced_branch_switch; must fail: outputs; says: lax.switch
@jax.jit
def transform(counts, kind):
    return {0: jnp.log1p, 1: jnp.sqrt, 2: jnp.sign}[kind](counts)

# %% wrong_int
# wrong: int() of a tracer; exercise: traced_branch_switch; must fail: outputs; says: tracer
@jax.jit
def transform(counts, kind):
    return [jnp.log1p, jnp.sqrt, jnp.sign][int(kind)](counts)

# %% wrong_integer_zero
# wrong: one branch gives an integer; exercise: traced_branch; must fail: outputs; says: same dtype
@jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    return lax.cond(variance > mean, lambda: jnp.log(1 + (variance - mean) / mean**2), lambda: 0)

# %% wrong_item
# wrong: chooses in Python, outside of jit; exercise: traced_branch_switch; must fail: outputs; says: plain Python number
@jax.jit
def present(y):
    return (y > 0).astype(y.dtype)


def transform(counts, kind):
    return [jax.jit(jnp.log1p), jax.jit(jnp.sqrt), present][kind.item()](counts)

# %% wrong_jit_switched_off
# wrong: jit switched off around the call; exercise: traced_branch; must fail: compilations; says: jit is switched off
@jax.jit
def _v(counts):
    mean, variance = counts.mean(), counts.var()
    return jnp.where(variance > mean, jnp.log(1 + (variance - mean) / mean**2), 0.0)


def latent_variance(counts):
    with jax.disable_jit():
        return _v(counts)

# %% wrong_jitted_halves
# wrong: jits the pieces, not the function; exercise: traced_branch; must fail: compilations; says: outside jit
@jax.jit
def moments(counts):
    return counts.mean(), counts.var()


def latent_variance(counts):
    mean, variance = moments(counts)
    return jnp.where(variance > mean, jnp.log(1 + (variance - mean) / mean**2), 0.0)

# %% wrong_kept_by_identity
# wrong: results kept by the identity of the counts; exercise: traced_branch_switch; must fail: purity; says: known
known = {}


@jax.jit
def compute(counts, kind):
    return lax.switch(kind, [jnp.log1p, jnp.sqrt, lambda y: (y > 0).astype(y.dtype)], counts)


def transform(counts, kind):
    if id(counts) not in known:
        known[id(counts)] = counts, compute(counts, kind)
    return known[id(counts)][1]

# %% wrong_list_index
# wrong: a Python list indexed by a tracer; exercise: traced_branch_switch; must fail: outputs; says: lax.switch
@jax.jit
def transform(counts, kind):
    return [jnp.log1p, jnp.sqrt, jnp.sign][kind](counts)

# %% wrong_log_of_zero
# wrong: the logarithm of the counts alone; exercise: traced_branch_switch; must fail: outputs; says: logarithm of 0
@jax.jit
def transform(counts, kind):
    return lax.switch(kind, [jnp.log, jnp.sqrt, lambda y: (y > 0).astype(y.dtype)], counts)

# %% wrong_logs_of_the_oaks
# wrong: tables up to the largest count of the oaks; exercise: traced_branch_switch; must fail: outputs; says: values differ
@jax.jit
def transform(counts, kind):
    known = jnp.arange(2230, dtype=jnp.float32)
    values = jnp.stack([jnp.log1p(known), jnp.sqrt(known), jnp.minimum(known, 1)])
    return values[kind][counts.astype(jnp.int32)]

# %% wrong_match
# wrong: match is a chain of ifs; exercise: traced_branch_switch; must fail: outputs; says: `jnp.where` or `lax.cond`
@jax.jit
def transform(counts, kind):
    match kind:
        case 0:
            return jnp.log1p(counts)
        case 1:
            return jnp.sqrt(counts)
        case _:
            return (counts > 0).astype(counts.dtype)

# %% wrong_mean_of_at_least_one
# wrong: guards the division by a mean of at least 1, which a rare species does not have; exercise: traced_branch; must fail: outputs; says: expected
@jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    excess = jnp.maximum(variance - mean, 0)
    return jnp.log1p(excess / jnp.maximum(mean, 1) ** 2)

# %% wrong_new_branches
# wrong: a new jitted lambda at each call; exercise: traced_branch_switch; must fail: compilations; says: compiled again
def transform(counts, kind):
    return jax.jit(lambda y, k: lax.switch(k, [jnp.log1p, jnp.sqrt, jnp.sign], y))(counts, kind)

# %% wrong_no_jit
# wrong: the decorator is gone; exercise: traced_branch; must fail: compilations; says: one jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    return jnp.where(variance > mean, jnp.log(1 + (variance - mean) / mean**2), 0.0)

# %% wrong_no_jit_if
# wrong: the decorator is gone and the if is still there; exercise: traced_branch; must fail: outputs; says: `jnp.where` or `lax.cond`
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    if variance > mean:
        return jnp.log(1 + (variance - mean) / mean**2)
    return 0.0

# %% wrong_one_branch
# wrong: the if is gone with one of its branches; exercise: traced_branch; must fail: outputs; says: expected
@jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    return jnp.log(1 + (variance - mean) / mean**2)

# %% wrong_only_two
# wrong: forgets the third kind; exercise: traced_branch_switch; must fail: outputs; says: expected
@jax.jit
def transform(counts, kind):
    return lax.cond(kind == 0, jnp.log1p, jnp.sqrt, counts)

# %% wrong_order
# wrong: the functions in another order; exercise: traced_branch_switch; must fail: outputs; says: expected
@jax.jit
def transform(counts, kind):
    return lax.switch(kind, [jnp.sqrt, jnp.log1p, jnp.sign], counts)

# %% wrong_remembers
# wrong: keeps the branch taken in a list; exercise: traced_branch; must fail: purity; says: taken
taken = []


@jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    taken.append(variance > mean)
    return jnp.where(taken[-1], jnp.log(1 + (variance - mean) / mean**2), 0.0)

# %% wrong_returns_none
# wrong: one branch returns nothing; exercise: traced_branch; must fail: outputs; says: must return the same
@jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()

    def spread():
        return jnp.log(1 + (variance - mean) / mean**2)

    def even():
        jnp.zeros_like(mean)

    return lax.cond(variance > mean, spread, even)

# %% wrong_room_for_the_oaks
# wrong: room for the leaves of the oaks; exercise: traced_branch; must fail: outputs; says: different sizes
@jax.jit
def latent_variance(counts):
    n = counts.size
    room = jnp.zeros(116).at[:n].set(counts)
    mean = room.sum() / n
    variance = (room**2).sum() / n - mean**2
    value = jnp.log1p((variance - mean) / jnp.maximum(mean, 1e-9) ** 2)
    return jnp.where(variance > mean, value, 0.0)

# %% wrong_static
# wrong: the counts are static; exercise: traced_branch; must fail: outputs; says: An array or a list cannot be static
from functools import partial


@partial(jax.jit, static_argnames="counts")
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    if variance > mean:
        return jnp.log(1 + (variance - mean) / mean**2)
    return 0.0

# %% wrong_static_kind
# wrong: kind is static, as in the lesson before; exercise: traced_branch_switch; must fail: outputs; says: cannot be static
@jax.jit(static_argnames="kind")
def transform(counts, kind):
    if kind == 0:
        return jnp.log1p(counts)
    if kind == 1:
        return jnp.sqrt(counts)
    return (counts > 0).astype(counts.dtype)

# %% wrong_switch_values
# wrong: values given to switch; exercise: traced_branch_switch; must fail: outputs; says: lambda:
@jax.jit
def transform(counts, kind):
    return lax.switch(
        kind, [jnp.log1p(counts), jnp.sqrt(counts), (counts > 0).astype(counts.dtype)]
    )

# %% wrong_ternary
# wrong: another spelling of if; exercise: traced_branch; must fail: outputs; says: `jnp.where` or `lax.cond`
@jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    return jnp.log(1 + (variance - mean) / mean**2) if variance > mean else 0.0

# %% wrong_values_to_cond
# wrong: gives cond values in place of functions; exercise: traced_branch; must fail: outputs; says: put `lambda:` before
@jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    return lax.cond(variance > mean, jnp.log(1 + (variance - mean) / mean**2), 0.0)

# %% wrong_weight
# wrong: the test as a weight, and 0 * nan is nan; exercise: traced_branch; must fail: outputs; says: nan
@jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    weight = jnp.where(variance > mean, 1.0, 0.0)
    return weight * jnp.log(1 + (variance - mean) / mean**2)

# %% right_clipped_ratio
# right: the ratio cannot fall below 0; exercise: traced_branch
@jax.jit
def latent_variance(counts):
    mean = jnp.mean(counts)
    ratio = (jnp.var(counts) - mean) / jnp.where(mean == 0, 1, mean) ** 2
    return jnp.log1p(jnp.clip(ratio, 0))

# %% right_piecewise
# right: jnp.piecewise of a scalar; exercise: traced_branch
@jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    ratio = (variance - mean) / mean**2
    return jnp.piecewise(ratio, [variance > mean], [jnp.log1p, jnp.zeros_like])

# %% right_wrapper
# right: a plain function that only calls the jitted one; exercise: traced_branch
def _estimate(counts):
    mean = counts.sum() / counts.size
    excess = ((counts - mean) ** 2).mean() - mean
    return jnp.where(excess > 0, jnp.log(1 + excess / mean**2), jnp.zeros(()))


_jitted = jax.jit(_estimate)


def latent_variance(counts):
    return _jitted(counts)

# %% right_lax_select_n
# right: lax.select_n of three tables; exercise: traced_branch_switch
@jax.jit
def transform(counts, kind):
    tables = jnp.log(1 + counts), counts**0.5, jnp.sign(counts)
    return lax.select_n(kind, *tables)

# %% starter_traced_branch
# starter: as shipped; exercise: traced_branch; must fail: outputs; says: TracerBoolConversionError

# %% starter_traced_branch_switch
# starter: as shipped; exercise: traced_branch_switch; must fail: outputs; says: TracerBoolConversionError

# %% empty_traced_branch
# empty: nothing in the cell; exercise: traced_branch; must fail: outputs; says: There is no function

# %% empty_traced_branch_switch
# empty: nothing in the cell; exercise: traced_branch_switch; must fail: outputs; says: There is no function
