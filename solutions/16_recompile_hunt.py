# %% [markdown]
# # Who compiles here? A hunt
#
# **116 calls, 38 programs. In the end, you need two.**
#
# **You will learn** to count compilations, to name the cause of a needless one, and to serve all
# lengths with a few programs, by padding and a mask. About 40 minutes.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check, outcome, predict
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

import time

import jax
import jax.numpy as jnp
import numpy as np

from plnkit import load_oaks
from plnkit.compile_counts import compile_counts

Y = load_oaks().Y
found = [row[row > 0] for row in Y]  # for each sample, the counts of the taxa found in it
lengths = [len(counts) for counts in found]
print(len(found), "samples,", len(set(lengths)), "different lengths, up to", max(lengths))


# %% tags=["demo"]
def summary(counts):
    logs = jnp.log1p(counts)
    return jnp.mean(logs), jnp.std(logs)


jitted = jax.jit(summary)
for attempt in ("first", "again"):
    begin = time.perf_counter()
    with compile_counts() as counted:
        for counts in found:
            jax.block_until_ready(jitted(counts))
    seconds = time.perf_counter() - begin
    print(f"{attempt}: {len(found)} calls, {counted['compilations']} compilations, {seconds:.3f} s")

# %% [markdown]
# No result is wrong in this lesson. The code is only slow, as if jit did not work.
#
# ## See it fail
#
# The samples have different numbers of taxa, and a program is made for one shape. One idea is to pad
# all of them to one length with zeros, and to cut the padding off again inside the jitted function.


# %% tags=["raises-exception"]
@jax.jit
def mean_of_first(padded, length):
    return jnp.mean(padded[:length])


mean_of_first(np.pad(found[0], (0, 128 - lengths[0])), lengths[0])

# %% [markdown]
# ```
# IndexError: ... static ... Got slice(None, JitTracer(~int32[]), None) at position 0
# ```
#
# If you make `length` static, the error goes away and the problem comes back: one program for each
# length. Keep the padded shape instead, and compare positions with the length. The **mask**
# `jnp.arange(padded.size) < length` has the same shape whatever the length, and `jnp.sum`, `jnp.mean`
# and `jnp.std` take one: `where=mask`.
#
# ## Why
#
# jit keeps what it has compiled, and looks it up by a **key**. A call with a new key is traced, and
# usually compiled. The key contains:
#
# * the function **object**: a `lambda` or a `def` inside another function is a new one each time;
# * for each array, its **shape**, its **dtype**, its **sharding** (on which devices it is), and
#   whether it is **weakly typed**. Python numbers are weakly typed (`1` is a weak integer, `1.0` a
#   weak float), and so are some arrays made from them, such as `jnp.full(n, 0.0)` and
#   `jnp.array(0.0)`;
# * the **structure** of the arguments: a tuple or a list, the keys of a dictionary, `None` in place
#   of an array;
# * **how** an argument is passed. If `n` is 3 by default, then `f(x)`, `f(x, 3)` and `f(x, n=3)`
#   have three keys, and are traced three times;
# * the **values** of static arguments;
# * some of JAX's **settings**, such as `jax.default_matmul_precision` and `jax_enable_x64`.
#
# **Predict before you run.** How many of the eight calls trace the function?


# %% tags=["demo"]
@jax.jit
def scaled(x, rate=0.5):
    traces.append(rate)
    return x * rate


x = jnp.ones(3)
calls = {
    "scaled(x, 0.5)": lambda: scaled(x, 0.5),
    "scaled(x, rate=0.5)": lambda: scaled(x, rate=0.5),
    "scaled(x)": lambda: scaled(x),
    "scaled(x, 0.25)": lambda: scaled(x, 0.25),
    "scaled(x, 1)": lambda: scaled(x, 1),
    "scaled(x, np.float32(0.5))": lambda: scaled(x, np.float32(0.5)),
    "scaled(jnp.full(3, 1.0), 0.5)": lambda: scaled(jnp.full(3, 1.0), 0.5),
    "scaled(x + 1, 0.125)": lambda: scaled(x + 1, 0.125),
}
predict("calls that trace", ...)

# %% tags=["demo"]
tracing = 0
for text, call in calls.items():
    traces = []
    call()
    tracing += len(traces)
    print(f"{text:<30} {'traced' if traces else ''}")
outcome("calls that trace", tracing)

# %% [markdown]
# In your own code, `jax.config.update("jax_explain_cache_misses", True)` makes JAX say what was
# different, each time that it traces. The check below also names the line.
#
# ## Your task: four causes in one function
#
# `anneal(counts, rates)` moves, with smaller and smaller steps, towards the log of the mean counts,
# and centers the result. `rates` is a tuple of plain Python numbers such as `(1, 0.5, 0.25)`. Its
# results are right. Repair it so that
#
# * each of the three jitted functions is compiled once for a shape, **whatever the rates**;
# * nothing is compiled at a second call, and no operation of JAX runs outside of jitted functions.
#
# You may also write one jitted function for all of it. That one may be compiled once for each
# number of rates.


# %% solution="recompile_hunt_calls"
### BEGIN SOLUTION
@jax.jit
def start(counts):
    return jnp.zeros(counts.shape[1], counts.dtype)


@jax.jit
def step(means, counts, rate):
    return means + rate * (jnp.log1p(jnp.mean(counts, axis=0)) - means)


@jax.jit
def centre(means):
    return means - jnp.mean(means)


def anneal(counts, rates):
    means = start(counts)
    for rate in rates:
        means = step(means, counts, np.float32(rate))
    return centre(means)


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def start(counts):
#     return jnp.full(counts.shape[1], 0.0)
#
#
# @jax.jit
# def step(means, counts, rate):
#     return means + rate * (jnp.log1p(jnp.mean(counts, axis=0)) - means)
#
#
# def anneal(counts, rates):
#     means = start(counts)
#     means = step(means, counts, rate=rates[0])
#     for rate in rates[1:]:
#         means = step(means, counts, rate)
#     centre = jax.jit(lambda means: means - jnp.mean(means))
#     return centre(means)
### END STARTER

# %% check="recompile_hunt_calls"
check("recompile_hunt_calls")

# %% [markdown]
# ## Your task: many lengths, two programs
#
# `abundance_summary(counts)` gives the mean and the standard deviation of the log abundances of one
# sample, of 1 to 128 counts. It is compiled for each length. Repair it so that
#
# * all lengths together compile **at most two programs**: pad to 64 or to 128. (All to 128, in one
#   program, is right as well.)
# * the padding does not change the results. A zero may also be a count, so mask by position.
#
# `abundance_summary` may be a plain function that pads, and calls one jitted function, once. Pad with
# NumPy, `np.pad(counts, (0, missing))`. With `jax.numpy`, outside jit, padding would be compiled for
# each length again.


# %% solution="recompile_hunt"
### BEGIN SOLUTION
@jax.jit
def masked_summary(padded, length):
    present = jnp.arange(padded.size) < length
    logs = jnp.log1p(padded)
    mean = jnp.sum(jnp.where(present, logs, 0)) / length
    variance = jnp.sum(jnp.where(present, (logs - mean) ** 2, 0)) / length
    return mean, jnp.sqrt(variance)


def abundance_summary(counts):
    counts = np.asarray(counts)
    size = 64 if len(counts) <= 64 else 128
    return masked_summary(np.pad(counts, (0, size - len(counts))), len(counts))


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def abundance_summary(counts):
#     logs = jnp.log1p(counts)
#     return jnp.mean(logs), jnp.std(logs)
### END STARTER

# %% check="recompile_hunt"
check("recompile_hunt")

# %% [markdown]
# ## What did it cost?
#
# The figure shows ten samples, one after another. Where a line climbs, the function goes on
# compiling; where it is flat, the function only runs.

# %% tags=["demo"]
from plnkit.plots import plot_compilations

variants = {
    "a new lambda for each call": lambda counts: jax.jit(lambda c: summary(c))(counts),
    "a program for each length": jax.jit(summary),
    "yours": abundance_summary,
}
compilations = {}
for label, function in variants.items():
    jax.clear_caches()  # nothing is compiled beforehand
    begin, per_call = time.perf_counter(), []
    for counts in found[:10]:
        with compile_counts() as counted:
            jax.block_until_ready(function(counts))
        per_call.append(counted["compilations"])
    compilations[f"{label}, {time.perf_counter() - begin:.2f} s"] = per_call
plot_compilations(compilations)

# %% [markdown]
# Padding is not free: the program computes on the padding too, which here may double the work. It
# still pays off as long as new lengths keep coming.
#
# To take away:
#
# * Count compilations before you blame jit.
# * One function object, one dtype, one way to call.
# * Pad to a few sizes, and mask by position.
#
# The JAX documentation has more: [just-in-time
# compilation](https://docs.jax.dev/en/latest/201/jit.html), and [type promotion and weak
# types](https://docs.jax.dev/en/latest/101/type_promotion.html).
#
# ## One question
#
# To avoid recompiling `step(means, counts, rate)`, a colleague makes `rate` static: "then weak types do
# not matter". Why do the compilations not go away, and what kind of argument should be static? Two or
# three sentences.

# %% [markdown] question="why" points=2
# ### BEGIN SOLUTION
# The value of a static argument is part of the key, so each new rate is a new program: a schedule of
# 1000 rates is 1000 compilations. As a traced argument of one dtype (`np.float32(rate)`) all rates
# share one program. Static is for settings that take few values and that decide about shapes or
# branches: a flag, a size, a number of iterations.
#
# *Grading.* 1 point: one compilation for each value of a static argument. 1 point: static is for
# few values, or for what decides about shapes and Python branches. That statics must be hashable is
# true and does not answer the question.
# ### END SOLUTION
# ### BEGIN STARTER
# *Write your answer here.*
# ### END STARTER

# %% [markdown]
# ## Drills
#
# Three small repairs of two minutes each. They are practice: checked, but without points.
#
# **1.** `standardise(Y)` compiles at every call.


# %% solution="standardise"
### BEGIN SOLUTION
@jax.jit
def standardise(Y):
    return (Y - Y.mean()) / (Y.std() + 1)


### END SOLUTION
### BEGIN STARTER
# def standardise(Y):
#     @jax.jit
#     def centre_and_scale(Y):
#         return (Y - Y.mean()) / (Y.std() + 1)
#
#     return centre_and_scale(Y)
### END STARTER

# %% check="standardise"
check("standardise")

# %% [markdown]
# **2.** `sum_of_logs(Y)` compiles at every call, although `sum_of` is jitted once.


# %% solution="sum_of_logs"
### BEGIN SOLUTION
def sum_of_function(function, Y):
    return jnp.sum(function(Y))


sum_of = jax.jit(sum_of_function, static_argnums=0)


def log_of_more(Y):
    return jnp.log(Y + 1)


def sum_of_logs(Y):
    return sum_of(log_of_more, Y)


### END SOLUTION
### BEGIN STARTER
# def sum_of_function(function, Y):
#     return jnp.sum(function(Y))
#
#
# sum_of = jax.jit(sum_of_function, static_argnums=0)
#
#
# def sum_of_logs(Y):
#     return sum_of(lambda Y: jnp.log(Y + 1), Y)
### END STARTER

# %% check="sum_of_logs"
check("sum_of_logs")

# %% [markdown]
# **3.** `shift_all(y, by)` compiles a program for each value of `by`, a plain Python float. One is
# enough.


# %% solution="shift_all"
### BEGIN SOLUTION
@jax.jit
def shift_all(y, by):
    return jnp.log(y + 1) + by


### END SOLUTION
### BEGIN STARTER
# def log_and_shift(y, by):
#     return jnp.log(y + 1) + by
#
#
# shift_all = jax.jit(log_and_shift, static_argnames="by")
### END STARTER

# %% check="shift_all"
check("shift_all")
