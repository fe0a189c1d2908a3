# %% [markdown]
# # Who compiles here? A hunt
#
# **You will learn** to count compilations, the five usual causes of needless ones (weak types, Python
# numbers, two ways to call, new lambdas, growing shapes), and to bring thirty-eight shapes down to
# two with padding and a mask. About 35 minutes.
#
# Nothing in this lesson gives a wrong result. It is only slow, as if jit did not work. Code that
# "got slower with jit" often has one of these five causes.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check, predict
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

import jax
import jax.numpy as jnp
import numpy as np

from plnkit import load_oaks

Y = load_oaks().Y
found = [leaf[leaf > 0] for leaf in Y]  # on each leaf, the counts of the taxa found there
lengths = [len(counts) for counts in found]
print(len(found), "leaves,", len(set(lengths)), "different lengths, up to", max(lengths))

# %% [markdown]
# ## See it fail
#
# The leaves have different numbers of taxa, and a program is made for one shape. One idea is to pad
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
# length. You need a computation whose *shapes* do not depend on the length.
#
# ## Why
#
# jit keeps what it has compiled, and looks it up by a **key**. A call with a new key compiles, and
# usually traces first. The key contains:
#
# * the function **object**: a `lambda` or a `def` inside another function is a new one each time;
# * of each array the **shape**, the **dtype**, and whether it is **weakly typed**. Python numbers
#   are weakly typed (`1` is a weak integer, `1.0` a weak float), and so are some arrays made from
#   them, such as `jnp.full(n, 0.0)` and `jnp.array(0.0)`;
# * of each array the **sharding**: on which device it is, or over which devices it is spread;
# * the **structure** of the arguments: a tuple or a list, the keys of a dictionary, `None` in place
#   of an array;
# * which arguments came by position and which by **keyword**;
# * the **values** of static arguments;
# * some of JAX's **settings**, such as `jax.default_matmul_precision` and `jax_enable_x64`.
#
# **Predict before you run.** Which of these calls trace the function again?

# %% tags=["demo"]
predict("the calls that trace again", ...)


# %% tags=["demo"]
@jax.jit
def scaled(x, rate):
    traces.append(rate)
    return x * rate


x = jnp.ones(3)
calls = {
    "scaled(x, 1)": lambda: scaled(x, 1),
    "scaled(x, 2)": lambda: scaled(x, 2),
    "scaled(x, 0.5)": lambda: scaled(x, 0.5),
    "scaled(x, rate=0.5)": lambda: scaled(x, rate=0.5),
    "scaled(x, np.float32(0.5))": lambda: scaled(x, np.float32(0.5)),
    "scaled(jnp.full(3, 1.0), 0.5)": lambda: scaled(jnp.full(3, 1.0), 0.5),
    "scaled(x + 1, 0.25)": lambda: scaled(x + 1, 0.25),
}
for text, call in calls.items():
    traces = []
    call()
    print(f"{text:<30} {'traced' if traces else ''}")

# %% [markdown]
# In your own code, `jax.config.update("jax_log_compiles", True)` logs each compilation, and
# `jax.config.update("jax_explain_cache_misses", True)` says what was different each time that JAX
# traces. The check below names the line and what was different.
#
# ## Your task: four in one
#
# `anneal(counts, rates)` moves, with smaller and smaller steps, towards the log of the mean counts,
# and centers the result. `rates` is a tuple of plain Python numbers such as `(1, 0.5, 0.25)`. Its
# results are right. Repair it so that
#
# * each of the three jitted functions is compiled once for a shape, **whatever the rates**;
# * nothing is compiled at a second call, and no operation of JAX runs outside of jitted functions.
#
# You may also write one jitted function for all of it.


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
# leaf. It is compiled for each length. Repair it so that
#
# * all lengths up to 128 share **two** programs: pad to 64 or to 128;
# * the padding does not change the results. A zero may also be a count, so mask by position.
#
# Pad with plain NumPy, `np.pad(counts, (0, missing))`, before the jitted function. With `jax.numpy`,
# outside jit, padding would be compiled for each length again.


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
# Twenty leaves, one after another: with a new `lambda` at each call, with a program for each length
# (the function you were given), and with yours. Nothing is compiled beforehand. A line that climbs
# is a function that goes on compiling. Where it is flat, the function only runs.

# %% tags=["demo"]
import time

from plnkit.compile_counts import compile_counts
from plnkit.plots import plot_compilations


def summary(counts):
    logs = jnp.log1p(counts)
    return jnp.mean(logs), jnp.std(logs)


variants = {
    "a new lambda for each call": lambda counts: jax.jit(lambda c: summary(c))(counts),
    "a program for each length": jax.jit(summary),
    "yours": abundance_summary,
}
compilations = {}
for label, function in variants.items():
    jax.clear_caches()  # the check has compiled yours
    begin, per_call = time.perf_counter(), []
    for counts in found[:20]:
        with compile_counts() as counted:
            jax.block_until_ready(function(counts))
        per_call.append(counted["compilations"])
    compilations[f"{label}, {time.perf_counter() - begin:.2f} s"] = per_call
plot_compilations(compilations)

# %% [markdown]
# Padding is not free: the program computes on the padding too. If sizes double from one program
# to the next, it computes on at most twice the length (on more only below half the smallest
# size). A run may take twice as long, but no new length needs a compilation. That pays off as
# long as new lengths keep coming.
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

# %% [markdown]
# ## Stretch goal: one program for all windows
#
# `recent_total(y, window)` adds up the last `window` counts. `window` is a plain Python integer
# from 1 to the number of counts, and each compiles a program. Make **one program** enough.


# %% solution="recent_total"
### BEGIN SOLUTION
@jax.jit
def recent_total(y, window):
    return jnp.sum(y, where=jnp.arange(y.size) >= y.size - window)


### END SOLUTION
### BEGIN STARTER
# def add_last(y, window):
#     return y[y.size - window :].sum()
#
#
# recent_total = jax.jit(add_last, static_argnames="window")
### END STARTER

# %% check="recent_total"
check("recent_total")
