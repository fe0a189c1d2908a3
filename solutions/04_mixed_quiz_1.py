# %% [markdown]
# # Mixed quiz 1: what is wrong here?
#
# **Three broken functions, and five that need a diagnosis.**
#
# No task says which lesson it is about: run the code, look at what happens, and decide. About 30
# minutes. As in the lessons, a repaired function is **pure**, does all its work in **one program**,
# and compiles **at most once** for each shape and each setting.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

import jax
import jax.numpy as jnp

from plnkit import load_oaks

counts = jnp.asarray(load_oaks().Y)
counts.shape

# %% [markdown]
# ## Your task: the effort at each site
#
# `log_effort(counts, scheme)` should return one number for each site (a row of the table): the log
# of the total count for `"total"`, and the log of the largest count for `"largest"`. Every site has
# a count above zero. Call it with either string, and it stops with an error.


# %% solution="mixed_quiz_1_effort"
### BEGIN SOLUTION
@jax.jit(static_argnames="scheme")
def log_effort(counts, scheme):
    if scheme == "total":
        return jnp.log(counts.sum(axis=1))
    return jnp.log(counts.max(axis=1))


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def log_effort(counts, scheme):
#     if scheme == "total":
#         return jnp.log(counts.sum(axis=1))
#     return jnp.log(counts.max(axis=1))
### END STARTER

# %% check="mixed_quiz_1_effort"
check("mixed_quiz_1_effort")

# %% [markdown]
# ## Your task: a step that is never too long
#
# `step` is an array of any shape with at least one entry. `shorten(step, longest)` should return it
# unchanged if its length (the root of its sum of squares) is at most `longest`, and otherwise a
# step in the same direction of length `longest`. A step of zeros stays zeros. `longest` is a
# positive JAX number that comes out of another computation: it changes from call to call, and
# another value must not compile anything. The function stops with an error.


# %% solution="mixed_quiz_1_shorten"
### BEGIN SOLUTION
@jax.jit
def shorten(step, longest):
    length = jnp.sqrt(jnp.sum(step**2))
    return jnp.where(length > longest, longest / length, 1) * step


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def shorten(step, longest):
#     length = jnp.sqrt(jnp.sum(step**2))
#     if length > longest:
#         step = longest / length * step
#     return step
### END STARTER

# %% check="mixed_quiz_1_shorten"
check("mixed_quiz_1_shorten")

# %% [markdown]
# ## Your task: one total for all sites
#
# `rescale(counts)` should multiply the counts of each site so that all sites have the same total:
# the mean total of *this* table. Every site has counts. The first table works. Then try another
# one, for example `counts[:50]`.


# %% solution="mixed_quiz_1_rescale"
### BEGIN SOLUTION
@jax.jit
def rescale(counts):
    totals = counts.sum(axis=1, keepdims=True)
    return counts / totals * totals.mean()


### END SOLUTION
### BEGIN STARTER
# mean_total = None
#
#
# @jax.jit
# def rescale(counts):
#     global mean_total
#     totals = counts.sum(axis=1, keepdims=True)
#     if mean_total is None:
#         mean_total = totals.mean()
#     return counts / totals * mean_total
### END STARTER

# %% check="mixed_quiz_1_rescale"
check("mixed_quiz_1_rescale")

# %% [markdown]
# ## Your task: five diagnoses
#
# Each of these functions is called three times, with `x`, `x + 1` and `x + 2` for a table of counts
# `x`. `by_weights` gets no weights, `by_limit` the limits 10, 20 and 30. Before the third call of
# `by_scale`, `scale = 10.0` is run.

# %%
from functools import partial

scale = 2.0


@jax.jit
def by_axes(x):
    return x.sum(axis=1) if x.ndim == 2 else x


@jax.jit
def by_total(x):
    return x / x.sum() if x.sum() > 0 else x


@jax.jit
def by_weights(x, weights=None):
    return x.sum(axis=1) if weights is None else x @ weights


@partial(jax.jit, static_argnames="limit")
def by_limit(x, limit):
    return jnp.minimum(x, limit)


@jax.jit
def by_scale(x):
    return scale * x


# %% [markdown]
# Say for each what happens: `"works"` (right results, and only the first call compiles), `"error"`
# (it stops with an error), `"old value"` (a result is computed with an outdated value) or
# `"compiles again"` (right results, and later calls compile, too).

# %% solution="mixed_quiz_1_diagnoses"
### BEGIN SOLUTION
answers = {
    "by_axes": "works",
    "by_total": "error",
    "by_weights": "works",
    "by_limit": "compiles again",
    "by_scale": "old value",
}
### END SOLUTION
### BEGIN STARTER
# answers = {
#     "by_axes": None,
#     "by_total": None,
#     "by_weights": None,
#     "by_limit": None,
#     "by_scale": None,
# }
### END STARTER

# %% check="mixed_quiz_1_diagnoses"
check("mixed_quiz_1_diagnoses")

# %% [markdown]
# ## If one of these stopped you
#
# | task | read again |
# | --- | --- |
# | the effort at each site | [static_branch](lesson:static_branch) |
# | a step that is never too long | [traced_branch](lesson:traced_branch) |
# | one total for all sites | [tracing](lesson:tracing) |
# | five diagnoses | [tracing](lesson:tracing), [static_branch](lesson:static_branch) |
#
# The JAX documentation has [the usual errors and their
# causes](https://docs.jax.dev/en/latest/101/errors.html).
