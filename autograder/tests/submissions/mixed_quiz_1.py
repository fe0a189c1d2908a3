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

# %% right_watches_built
# right: built from pairs; exercise: mixed_quiz_1_watches
words = ["two runs", "start", "compiling", "one run"]
answers = {f"watch_{letter}": word for letter, word in zip("abcd", words, strict=True)}

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

# %% wrong_watches_all_run
# wrong: they all measure a run; exercise: mixed_quiz_1_watches; must fail: outputs; says: not waited for
answers = dict.fromkeys(["watch_a", "watch_b", "watch_c", "watch_d"], "one run")

# %% wrong_watches_left_out
# wrong: one is left out; exercise: mixed_quiz_1_watches; must fail: outputs; says: watch_c
answers = {"watch_a": "two runs", "watch_b": "start", "watch_d": "one run"}

# %% wrong_watches_other_word
# wrong: a word that is not offered; exercise: mixed_quiz_1_watches; must fail: outputs; says: watch_d
answers = {"watch_a": "two runs", "watch_b": "start", "watch_c": "compiling", "watch_d": "a run"}

# %% wrong_watches_warm
# wrong: takes the first call for a warm-up; exercise: mixed_quiz_1_watches; must fail: outputs; says: watch_a
answers = {"watch_a": "one run", "watch_b": "start", "watch_c": "compiling", "watch_d": "one run"}

# %% starter_effort
# starter: as shipped; exercise: mixed_quiz_1_effort; must fail: outputs; says: static

# %% starter_rescale
# starter: as shipped; exercise: mixed_quiz_1_rescale; must fail: outputs; says: tracer

# %% starter_shorten
# starter: as shipped; exercise: mixed_quiz_1_shorten; must fail: outputs; says: if

# %% starter_watches
# starter: no answer yet; exercise: mixed_quiz_1_watches; must fail: outputs; says: has no answer yet

# %% empty_effort
# empty: nothing; exercise: mixed_quiz_1_effort; must fail: outputs, purity, compilations; says: no function `log_effort`

# %% empty_rescale
# empty: nothing; exercise: mixed_quiz_1_rescale; must fail: outputs, purity, compilations; says: no function `rescale`

# %% empty_shorten
# empty: nothing; exercise: mixed_quiz_1_shorten; must fail: outputs, purity, compilations; says: no function `shorten`

# %% empty_watches
# empty: nothing; exercise: mixed_quiz_1_watches; must fail: outputs; says: no function `answers`
