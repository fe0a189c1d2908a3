# %% [markdown]
# # Mixed quiz 1: what is wrong here?
#
# Three small functions are broken, and four stopwatches disagree. No task says which lesson it is
# about: run the code, look at what happens, and decide. About 20 minutes. As in the lessons, a
# repaired function is **pure**, does all its work in **one program**, and compiles **at most
# once** for each shape and each setting.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

import time

import jax
import jax.numpy as jnp

from plnkit import load_oaks

counts = jnp.asarray(load_oaks().Y)
counts.shape

# %% [markdown]
# ## Your task: the effort at each site
#
# `log_effort(counts, scheme)` should return one number for each site: the log of the total count
# for `"total"`, and the log of the largest count for `"largest"`. Call it with one of these two
# strings: it stops with an error.

# %% solution="mixed_quiz_1_effort"
### BEGIN SOLUTION
from functools import partial


@partial(jax.jit, static_argnames="scheme")
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
# `shorten(step, longest)` should return `step`, an array of any shape, as it is if its length (the
# root of its sum of squares) is at most `longest`, and otherwise a step in the same direction that
# is exactly `longest` long. A step of zeros stays zeros. `longest` is a positive JAX number that comes out of
# another computation: it changes from call to call, and another value must not compile anything.
# The function stops with an error.


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
# ## Your task: four stopwatches
#
# Each of these functions is given a jitted function that has not been called yet, and returns a
# time in seconds. Say for each what it has measured.


# %%
def watch_a(function, x):
    function(x)
    start = time.perf_counter()
    jax.block_until_ready(function(x))
    return time.perf_counter() - start


def watch_b(function, x):
    jax.block_until_ready(function(x))
    start = time.perf_counter()
    result = function(x)
    seconds = time.perf_counter() - start
    jax.block_until_ready(result)
    return seconds


def watch_c(function, x):
    jitted = jax.jit(lambda x: function(x))
    start = time.perf_counter()
    jax.block_until_ready(jitted(x))
    return time.perf_counter() - start


def watch_d(function, x):
    result = jax.block_until_ready(function(x))
    start = time.perf_counter()
    result = function(x)
    jax.block_until_ready(result)
    return time.perf_counter() - start


# %% [markdown]
# Here every call returns as soon as its run has started, and the device does one run after the
# other. A run takes ten times as long as starting it, and compiling takes ten times as long as a
# run. Choose among `"start"` (only starting a run), `"one run"`, `"two runs"` (or nearly two) and
# `"compiling"` (with or without a run).

# %% solution="mixed_quiz_1_watches"
### BEGIN SOLUTION
answers = {
    "watch_a": "two runs",
    "watch_b": "start",
    "watch_c": "compiling",
    "watch_d": "one run",
}
### END SOLUTION
### BEGIN STARTER
# answers = {
#     "watch_a": None,
#     "watch_b": None,
#     "watch_c": None,
#     "watch_d": None,
# }
### END STARTER

# %% check="mixed_quiz_1_watches"
check("mixed_quiz_1_watches")

# %% [markdown]
# ## If one of these stopped you
#
# | task | read again |
# | --- | --- |
# | the effort at each site | [static_branch](lesson:static_branch) |
# | a step that is never too long | [traced_branch](lesson:traced_branch) |
# | one total for all sites | [tracing](lesson:tracing) |
# | four stopwatches | [timing](lesson:timing) |
#
# The JAX documentation has [the usual errors and their
# causes](https://docs.jax.dev/en/latest/101/errors.html).
