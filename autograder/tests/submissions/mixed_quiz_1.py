"""Repairs of the lesson mixed_quiz_1, right and wrong, its starters and empty cells."""

# %% right_effort_argnums
# right: static by position, jitted by assignment; exercise: mixed_quiz_1_effort
def _log_effort(counts, scheme):
    largest = scheme == "largest"
    return jnp.log(jnp.max(counts, 1) if largest else jnp.sum(counts, 1))


log_effort = jax.jit(_log_effort, static_argnums=(1,))

# %% right_effort_match
# right: a match statement and getattr; exercise: mixed_quiz_1_effort
import functools


@functools.partial(jax.jit, static_argnames=("scheme",))
def log_effort(counts, scheme):
    match scheme:
        case "total":
            effort = jnp.einsum("np->n", counts)
        case _:
            effort = counts.max(-1)
    return jnp.log(effort)

# %% right_effort_static_wrapper
# right: a plain function passes the boolean on; exercise: mixed_quiz_1_effort
from functools import partial


@partial(jax.jit, static_argnums=1)
def effort(counts, by_total):
    if by_total:
        return jnp.log(counts.sum(axis=1))
    return jnp.log(counts.max(axis=1))


def log_effort(counts, scheme):
    return effort(counts, scheme == "total")

# %% right_effort_table
# right: the setting chooses one of two jitted functions; exercise: mixed_quiz_1_effort
efforts = {
    "total": jax.jit(lambda counts: jnp.log(counts.sum(axis=1))),
    "largest": jax.jit(lambda counts: jnp.log(counts.max(axis=1))),
}


def log_effort(counts, scheme):
    return efforts[scheme](counts)

# %% right_rescale_local
# right: keeps the variable, now a local one; exercise: mixed_quiz_1_rescale
mean_total = None


@jax.jit
def rescale(counts):
    mean_total = None
    totals = counts.sum(axis=1, keepdims=True)
    if mean_total is None:
        mean_total = totals.mean()
    return counts / totals * mean_total

# %% right_rescale_two
# right: the mean is computed by a jitted helper; exercise: mixed_quiz_1_rescale
@jax.jit
def mean_total(counts):
    return counts.sum() / counts.shape[0]


@jax.jit
def rescale(counts):
    return mean_total(counts) * counts / jnp.sum(counts, axis=1)[:, None]

# %% right_rescale_vmap
# right: one site at a time, under vmap; exercise: mixed_quiz_1_rescale
@jax.jit
def rescale(counts):
    mean = jnp.mean(jnp.sum(counts, axis=1))
    return jax.vmap(lambda site: site * (mean / site.sum()))(counts)

# %% right_shorten_cond
# right: lax.cond; exercise: mixed_quiz_1_shorten
from jax import lax


@jax.jit
def shorten(step, longest):
    length = jnp.sqrt(jnp.sum(step**2))
    return lax.cond(length > longest, lambda s: longest / length * s, lambda s: s, step)

# %% right_shorten_divided
# right: divided by the larger of both; exercise: mixed_quiz_1_shorten
@jax.jit
def shorten(step, longest):
    length = jnp.sqrt(jnp.vdot(step, step))
    return step * (longest / jnp.maximum(length, longest))

# %% right_shorten_minimum
# right: one factor, at most 1; exercise: mixed_quiz_1_shorten
@jax.jit
def shorten(step, longest):
    return step * jnp.minimum(1.0, longest / jnp.linalg.norm(step.ravel()))

# %% right_shorten_optax
# right: optax has it; exercise: mixed_quiz_1_shorten
import optax


@jax.jit
def shorten(step, longest):
    clip = optax.clip_by_global_norm(longest)
    return clip.update(step, clip.init(step))[0]

# %% wrong_effort_always_total
# wrong: one scheme only; exercise: mixed_quiz_1_effort; must fail: outputs; says: values differ
from functools import partial


@partial(jax.jit, static_argnames="scheme")
def log_effort(counts, scheme="total"):
    return jnp.log(counts.sum(axis=1))

# %% wrong_effort_inside
# wrong: a new jitted function at each call; exercise: mixed_quiz_1_effort; must fail: compilations; says: new function object each time
def log_effort(counts, scheme):
    if scheme == "total":
        return jax.jit(lambda y: jnp.log(y.sum(axis=1)))(counts)
    return jax.jit(lambda y: jnp.log(y.max(axis=1)))(counts)

# %% wrong_effort_no_jit
# wrong: jit taken away; exercise: mixed_quiz_1_effort; must fail: compilations; says: jit
def log_effort(counts, scheme):
    if scheme == "total":
        return jnp.log(counts.sum(axis=1))
    return jnp.log(counts.max(axis=1))

# %% wrong_effort_room
# wrong: room for the taxa of the oaks; exercise: mixed_quiz_1_effort; must fail: outputs; says: different sizes
from functools import partial


@partial(jax.jit, static_argnames="scheme")
def log_effort(counts, scheme):
    n, p = counts.shape
    room = jnp.zeros((n, 114)).at[:, :p].set(counts)
    return jnp.log(room.sum(axis=1) if scheme == "total" else room.max(axis=1))

# %% wrong_effort_static_counts
# wrong: the data are static; exercise: mixed_quiz_1_effort; must fail: outputs; says: hash
from functools import partial


@partial(jax.jit, static_argnums=(0, 1))
def log_effort(counts, scheme):
    if scheme == "total":
        return jnp.log(counts.sum(axis=1))
    return jnp.log(counts.max(axis=1))

# %% wrong_effort_taxa
# wrong: one number for each taxon; exercise: mixed_quiz_1_effort; must fail: outputs; says: shape
from functools import partial


@partial(jax.jit, static_argnames="scheme")
def log_effort(counts, scheme):
    if scheme == "total":
        return jnp.log(counts.sum(axis=0))
    return jnp.log(counts.max(axis=0))

# %% wrong_rescale_by_shape
# wrong: keeps the mean of each shape; exercise: mixed_quiz_1_rescale; must fail: purity; says: a tracer is left in
means = {}


@jax.jit
def rescale(counts):
    totals = counts.sum(axis=1, keepdims=True)
    means[counts.shape] = totals.mean()
    return counts / totals * means[counts.shape]

# %% wrong_rescale_columns
# wrong: the totals of the taxa; exercise: mixed_quiz_1_rescale; must fail: outputs; says: differ
@jax.jit
def rescale(counts):
    totals = 1e-9 + counts.sum(axis=0, keepdims=True)
    return counts / totals * totals.mean()

# %% wrong_rescale_constant
# wrong: the mean total of the oaks; exercise: mixed_quiz_1_rescale; must fail: outputs; says: values differ
mean_total = float(counts.sum(axis=1).mean())


@jax.jit
def rescale(counts):
    totals = counts.sum(axis=1, keepdims=True)
    return counts / totals * mean_total

# %% wrong_rescale_eager
# wrong: right, and not jitted; exercise: mixed_quiz_1_rescale; must fail: compilations; says: jit
def rescale(counts):
    totals = counts.sum(axis=1, keepdims=True)
    return counts / totals * totals.mean()

# %% wrong_rescale_identity
# wrong: totals kept by the identity of the table; exercise: mixed_quiz_1_rescale; must fail: purity, compilations; says: totals
totals = {}


@jax.jit
def compute(counts, total):
    return counts / total * total.mean()


def rescale(counts):
    if id(counts) not in totals:
        totals[id(counts)] = counts, counts.sum(axis=1, keepdims=True)
    return compute(counts, totals[id(counts)][1])

# %% wrong_rescale_no_jit
# wrong: jit taken away, and the first table's mean kept; exercise: mixed_quiz_1_rescale; must fail: outputs; says: tracer
mean_total = None


def rescale(counts):
    global mean_total
    totals = counts.sum(axis=1, keepdims=True)
    if mean_total is None:
        mean_total = totals.mean()
    return counts / totals * mean_total

# %% wrong_rescale_no_keepdims
# wrong: the totals lose their axis; exercise: mixed_quiz_1_rescale; must fail: outputs; says: keepdims
@jax.jit
def rescale(counts):
    totals = counts.sum(axis=1)
    return counts / totals * totals.mean()

# %% wrong_rescale_relative
# wrong: shares, whose total is 1; exercise: mixed_quiz_1_rescale; must fail: outputs; says: values differ
@jax.jit
def rescale(counts):
    return counts / counts.sum(axis=1, keepdims=True)

# %% wrong_rescale_room
# wrong: room for the leaves of the oaks; exercise: mixed_quiz_1_rescale; must fail: outputs; says: different sizes
@jax.jit
def rescale(counts):
    n = len(counts)
    totals = jnp.ones(116).at[:n].set(counts.sum(axis=1))[:n]
    return counts / totals[:, None] * totals.mean()

# %% wrong_rescale_still_stored
# wrong: computes it anew, and still stores it; exercise: mixed_quiz_1_rescale; must fail: purity; says: mean_total
mean_total = None


@jax.jit
def rescale(counts):
    global mean_total
    totals = counts.sum(axis=1, keepdims=True)
    mean_total = totals.mean()
    return counts / totals * mean_total

# %% wrong_shorten_always
# wrong: short steps are made longer; exercise: mixed_quiz_1_shorten; must fail: outputs; says: values differ
@jax.jit
def shorten(step, longest):
    length = jnp.sqrt(jnp.sum(step**2))
    return longest / length * step

# %% wrong_shorten_clip
# wrong: each entry by itself; exercise: mixed_quiz_1_shorten; must fail: outputs; says: values differ
@jax.jit
def shorten(step, longest):
    return jnp.clip(step, -longest, longest)

# %% wrong_shorten_epsilon
# wrong: a small number keeps zeros from dividing, and makes short steps shorter than longest; exercise: mixed_quiz_1_shorten; must fail: outputs; says: values differ
@jax.jit
def shorten(step, longest):
    length = jnp.sqrt(jnp.sum(step**2) + 1e-6)
    return jnp.minimum(1.0, longest / length) * step

# %% wrong_shorten_float
# wrong: asks the tracer for a number; exercise: mixed_quiz_1_shorten; must fail: outputs; says: number
@jax.jit
def shorten(step, longest):
    length = float(jnp.sqrt(jnp.sum(step**2)))
    if length > longest:
        step = longest / length * step
    return step

# %% wrong_shorten_no_jit
# wrong: jit taken away; exercise: mixed_quiz_1_shorten; must fail: compilations; says: jit
def shorten(step, longest):
    length = jnp.sqrt(jnp.sum(step**2))
    return jnp.where(length > longest, longest / length, 1) * step

# %% wrong_shorten_static
# wrong: the longest length as a setting; exercise: mixed_quiz_1_shorten; must fail: outputs; says: hash
from functools import partial


@partial(jax.jit, static_argnames="longest")
def shorten(step, longest):
    length = jnp.sqrt(jnp.sum(step**2))
    return jnp.where(length > longest, longest / length, 1) * step

# %% wrong_shorten_swapped
# wrong: the two choices in the other order; exercise: mixed_quiz_1_shorten; must fail: outputs; says: values differ
@jax.jit
def shorten(step, longest):
    length = jnp.sqrt(jnp.sum(step**2))
    return jnp.where(length > longest, 1, longest / length) * step

# %% wrong_shorten_weights
# wrong: the test as a weight, and 0 * inf is nan; exercise: mixed_quiz_1_shorten; must fail: outputs; says: nan
@jax.jit
def shorten(step, longest):
    length = jnp.sqrt(jnp.sum(step**2))
    too_long = jnp.where(length > longest, 1.0, 0.0)
    return too_long * (longest / length) * step + (1 - too_long) * step

# %% right_effort_boolean_index
# right: both computed, a static string chooses; exercise: mixed_quiz_1_effort
def _efforts(counts, scheme):
    both = jnp.stack([counts.sum(axis=1), counts.max(axis=1)])
    return jnp.log(both[["total", "largest"].index(scheme)])


log_effort = jax.jit(_efforts, static_argnames="scheme")

# %% right_effort_getattr
# right: the names are methods; exercise: mixed_quiz_1_effort
@jax.jit(static_argnums=1)
def log_effort(counts, scheme):
    reduce = getattr(counts, {"total": "sum", "largest": "max"}[scheme])
    return jnp.log(reduce(axis=1))

# %% right_rescale_factor
# right: one factor for each site; exercise: mixed_quiz_1_rescale
@jax.jit
def rescale(counts):
    totals = counts.sum(axis=1)
    return jnp.einsum("np,n->np", counts, totals.mean() / totals)

# %% right_rescale_matmul
# right: totals as a product with ones; exercise: mixed_quiz_1_rescale
def _rescale(counts):
    n, p = counts.shape
    totals = counts @ jnp.ones((p, 1), counts.dtype)
    return counts * (jnp.sum(totals) / n / totals)


rescale = jax.jit(_rescale)

# %% right_rescale_transposed
# right: the table turned, so that totals need no new axis; exercise: mixed_quiz_1_rescale
@jax.jit
def rescale(counts):
    totals = jnp.sum(counts, 1)
    return (counts.T * (totals.mean() / totals)).T

# %% right_shorten_select
# right: lax.select of two steps; exercise: mixed_quiz_1_shorten
from jax import lax


@jax.jit
def shorten(step, longest):
    length = jnp.sqrt(jnp.sum(jnp.square(step)))
    shorter = step * (longest / jnp.where(length > 0, length, 1))
    return lax.select(jnp.broadcast_to(length > longest, step.shape), shorter, step)

# %% right_shorten_squares
# right: compares the squares, no root unless it is needed; exercise: mixed_quiz_1_shorten
@jax.jit
def shorten(step, longest):
    squares = jnp.sum(step * step)
    too_long = squares > longest**2
    return jnp.where(too_long, step * longest * jax.lax.rsqrt(jnp.maximum(squares, 1e-30)), step)

# %% right_diagnoses
# right: the five; exercise: mixed_quiz_1_diagnoses
answers = {
    "by_axes": "works",
    "by_total": "error",
    "by_weights": "works",
    "by_limit": "compiles again",
    "by_scale": "old value",
}

# %% right_diagnoses_dict
# right: with dict(), in another order; exercise: mixed_quiz_1_diagnoses
answers = dict(
    by_scale="old value",
    by_limit="compiles again",
    by_total="error",
    by_weights="works",
    by_axes="works",
)

# %% right_diagnoses_filled
# right: filled in one by one; exercise: mixed_quiz_1_diagnoses
answers = dict.fromkeys(["by_axes", "by_weights"], "works")
answers["by_total"] = "error"
answers["by_limit"] = "compiles again"
answers["by_scale"] = "old value"

# %% right_diagnoses_run
# right: looks instead of guessing; exercise: mixed_quiz_1_diagnoses
x = jnp.arange(1.0, 13.0).reshape(4, 3)
answers = {"by_axes": "works", "by_weights": "works"}
try:
    by_total(x)
except jax.errors.TracerBoolConversionError:
    answers["by_total"] = "error"
by_scale(x)
scale = 10.0
answers["by_scale"] = "old value" if by_scale(x)[0, 0] == 2 else "works"
answers["by_limit"] = "compiles again"
scale = 2.0

# %% right_diagnoses_tuple
# right: a NamedTuple; exercise: mixed_quiz_1_diagnoses
from typing import NamedTuple


class Answers(NamedTuple):
    by_axes: str = "works"
    by_total: str = "error"
    by_weights: str = "works"
    by_limit: str = "compiles again"
    by_scale: str = "old value"


answers = Answers()

# %% right_diagnoses_zip
# right: built from two lists; exercise: mixed_quiz_1_diagnoses
names = ["by_axes", "by_total", "by_weights", "by_limit", "by_scale"]
words = ["works", "error", "works", "compiles again", "old value"]
answers = dict(zip(names, words, strict=True))

# %% wrong_effort_kept_by_identity
# wrong: results kept by the identity of the counts; exercise: mixed_quiz_1_effort; must fail: purity; says: known
from functools import partial

known = {}


@partial(jax.jit, static_argnames="scheme")
def compute(counts, scheme):
    return jnp.log(counts.sum(axis=1) if scheme == "total" else counts.max(axis=1))


def log_effort(counts, scheme):
    key = id(counts), scheme
    if key not in known:
        known[key] = counts, compute(counts, scheme)
    return known[key][1]

# %% wrong_effort_log1p
# wrong: the log of the total plus 1; exercise: mixed_quiz_1_effort; must fail: outputs; says: values differ
@jax.jit(static_argnames="scheme")
def log_effort(counts, scheme):
    return jnp.log1p(counts.sum(axis=1) if scheme == "total" else counts.max(axis=1))

# %% wrong_effort_notes
# wrong: notes the schemes in a list; exercise: mixed_quiz_1_effort; must fail: purity; says: schemes
schemes = []


@jax.jit(static_argnames="scheme")
def log_effort(counts, scheme):
    schemes.append(scheme)
    return jnp.log(counts.sum(axis=1) if scheme == "total" else counts.max(axis=1))

# %% wrong_effort_swapped
# wrong: the two schemes exchanged; exercise: mixed_quiz_1_effort; must fail: outputs; says: values differ
@jax.jit(static_argnames="scheme")
def log_effort(counts, scheme):
    return jnp.log(counts.max(axis=1) if scheme == "total" else counts.sum(axis=1))

# %% wrong_shorten_kept_by_identity
# wrong: lengths kept by the identity of the step; exercise: mixed_quiz_1_shorten; must fail: purity, compilations; says: lengths
lengths = {}


@jax.jit
def compute(step, length, longest):
    return jnp.where(length > longest, longest / length, 1) * step


def shorten(step, longest):
    if id(step) not in lengths:
        lengths[id(step)] = step, jnp.sqrt(jnp.sum(step**2))
    return compute(step, lengths[id(step)][1], longest)

# %% wrong_shorten_room
# wrong: room for the cells of the oaks; exercise: mixed_quiz_1_shorten; must fail: outputs; says: different sizes
@jax.jit
def shorten(step, longest):
    room = jnp.zeros(116 * 114).at[: step.size].set(step.ravel())
    length = jnp.sqrt(jnp.sum(room**2))
    return jnp.where(length > longest, longest / length, 1) * step

# %% wrong_diagnoses_all_ifs
# wrong: takes every if for an error; exercise: mixed_quiz_1_diagnoses; must fail: outputs; says: by_axes
answers = {
    "by_axes": "error",
    "by_total": "error",
    "by_weights": "error",
    "by_limit": "compiles again",
    "by_scale": "old value",
}

# %% wrong_diagnoses_axes
# wrong: a tracer has no axes; exercise: mixed_quiz_1_diagnoses; must fail: outputs; says: it has a shape and a number of axes
answers = {
    "by_axes": "error",
    "by_total": "error",
    "by_weights": "works",
    "by_limit": "compiles again",
    "by_scale": "old value",
}

# %% wrong_diagnoses_global
# wrong: a global is read at each call; exercise: mixed_quiz_1_diagnoses; must fail: outputs; says: by_scale
answers = {
    "by_axes": "works",
    "by_total": "error",
    "by_weights": "works",
    "by_limit": "compiles again",
    "by_scale": "works",
}

# %% wrong_diagnoses_left_out
# wrong: one is left out; exercise: mixed_quiz_1_diagnoses; must fail: outputs; says: by_limit
answers = {"by_axes": "works", "by_total": "error", "by_weights": "works", "by_scale": "old value"}

# %% wrong_diagnoses_limit
# wrong: one program serves all static values; exercise: mixed_quiz_1_diagnoses; must fail: outputs; says: A static value is part of the program
answers = {
    "by_axes": "works",
    "by_total": "error",
    "by_weights": "works",
    "by_limit": "works",
    "by_scale": "old value",
}

# %% wrong_diagnoses_list
# wrong: a list of words; exercise: mixed_quiz_1_diagnoses; must fail: outputs; says: is a list, not a dictionary of answers
answers = ["works", "error", "works", "compiles again", "old value"]

# %% wrong_diagnoses_misspelt
# wrong: a misspelt function; exercise: mixed_quiz_1_diagnoses; must fail: outputs; says: by_weight
answers = {
    "by_axes": "works",
    "by_total": "error",
    "by_weight": "works",
    "by_limit": "compiles again",
    "by_scale": "old value",
}

# %% wrong_diagnoses_other_word
# wrong: a word that is not offered; exercise: mixed_quiz_1_diagnoses; must fail: outputs; says: by_scale
answers = {
    "by_axes": "works",
    "by_total": "error",
    "by_weights": "works",
    "by_limit": "compiles again",
    "by_scale": "stale",
}

# %% wrong_diagnoses_scale_compiles
# wrong: a new global value compiles again; exercise: mixed_quiz_1_diagnoses; must fail: outputs; says: Python reads a global while tracing
answers = {
    "by_axes": "works",
    "by_total": "error",
    "by_weights": "works",
    "by_limit": "compiles again",
    "by_scale": "compiles again",
}

# %% wrong_diagnoses_total
# wrong: the total of counts is always positive, so it works; exercise: mixed_quiz_1_diagnoses; must fail: outputs; says: by_total
answers = {
    "by_axes": "works",
    "by_total": "works",
    "by_weights": "works",
    "by_limit": "compiles again",
    "by_scale": "old value",
}

# %% wrong_diagnoses_weights
# wrong: None is traced; exercise: mixed_quiz_1_diagnoses; must fail: outputs; says: by_weights
answers = {
    "by_axes": "works",
    "by_total": "error",
    "by_weights": "error",
    "by_limit": "compiles again",
    "by_scale": "old value",
}

# %% starter_effort
# starter: as shipped; exercise: mixed_quiz_1_effort; must fail: outputs; says: static

# %% starter_rescale
# starter: as shipped; exercise: mixed_quiz_1_rescale; must fail: outputs; says: tracer

# %% starter_shorten
# starter: as shipped; exercise: mixed_quiz_1_shorten; must fail: outputs; says: if

# %% starter_diagnoses
# starter: no answer yet; exercise: mixed_quiz_1_diagnoses; must fail: outputs; says: has no answer yet

# %% empty_effort
# empty: nothing; exercise: mixed_quiz_1_effort; must fail: outputs, purity, compilations; says: no function `log_effort`

# %% empty_rescale
# empty: nothing; exercise: mixed_quiz_1_rescale; must fail: outputs, purity, compilations; says: no function `rescale`

# %% empty_shorten
# empty: nothing; exercise: mixed_quiz_1_shorten; must fail: outputs, purity, compilations; says: no function `shorten`

# %% empty_diagnoses
# empty: nothing; exercise: mixed_quiz_1_diagnoses; must fail: outputs; says: no function `answers`
