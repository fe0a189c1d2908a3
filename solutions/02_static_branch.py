# %% [markdown]
# # A branch that jit cannot take: static arguments
#
# **Nine calls with three values of one setting: three slow ones, six fast ones.**
#
# **You will learn** what `TracerBoolConversionError` means, how to fix it by making one argument
# *static*, and what that costs. About 30 minutes.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check, outcome, predict
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

from functools import partial

import jax
import jax.numpy as jnp

from plnkit import load_oaks

counts = jnp.asarray(load_oaks().Y)
counts.shape

# %% tags=["demo"]
import time

import matplotlib.pyplot as plt


@partial(jax.jit, static_argnames="cap")
def cap_counts(x, cap):
    return jnp.minimum(x, cap) if cap > 0 else x


caps = (100, 100, 100, 50, 50, 50, 0, 0, 0)
milliseconds = []
for cap in caps:
    start = time.perf_counter()
    jax.block_until_ready(cap_counts(counts, cap))
    milliseconds.append(1e3 * (time.perf_counter() - start))

plt.bar(range(9), milliseconds, color=["C0" if i % 3 else "C1" for i in range(9)])
plt.xticks(range(9), [f"cap {cap}" for cap in caps], rotation=60)
plt.yscale("log")
plt.ylabel("milliseconds")
plt.title("orange: the first call with its cap")
new, known = sum(milliseconds[::3]) / 3, sorted(milliseconds)[3]
print(f"a new cap: {new:.1f} ms, a known one: {known:.3f} ms, {new / known:.0f} times less")

# %% [markdown]
# The oaks data are counts of 114 species of fungi and bacteria at 116 sites, each a leaf of an oak
# tree. The function above limits large counts, and has an `if`. It works under `jit` because of
# `static_argnames="cap"`, and the orange bars are the price.
#
# ## See it fail
#
# Here it is without `static_argnames`:


# %% tags=["raises-exception"]
@jax.jit
def cap_or_keep(x, cap):
    if cap > 0:
        return jnp.minimum(x, cap)
    return x


cap_or_keep(counts, 100)

# %% [markdown]
# Read the last lines of that long message:
#
# ```
# TracerBoolConversionError: Attempted boolean conversion of traced array with shape bool[].
# The error occurred while tracing the function cap_or_keep ... for jit. This concrete value was not
# available in Python because it depends on the value of the argument cap.
# ```
#
# ## Why
#
# A Python `if` needs True or False at once. `cap` is a tracer: it stands for all numbers, so Python
# cannot choose.
#
# An argument marked **static** is not traced. Your function sees the plain Python value, `if`
# works, and the compiled program holds only the branch that was taken.
#
# `jax.jit(f, static_argnums=1)` marks an argument by position, counted from 0. `static_argnames`
# marks it by name, and takes a tuple for several names. For most functions, JAX infers the one from
# the other. As a decorator, write `@jax.jit(...)` in recent releases of JAX, `@partial(jax.jit,
# ...)` in all of them. `partial` comes from `functools`, and fills in arguments beforehand.
#
# **Predict before you run.** How many times will the cell after next print?

# %% tags=["demo"]
predict("how many times `loud_cap` prints", ...)

# %% tags=["demo"]
printed = []


def loud_cap(x, cap):
    print("tracing for cap =", cap)
    printed.append(cap)
    return jnp.minimum(x, cap) if cap > 0 else x


jitted_loud_cap = jax.jit(loud_cap, static_argnums=1)
for cap in (100, 100, 50):
    jitted_loud_cap(counts, cap)
outcome("how many times `loud_cap` prints", len(printed))

# %% [markdown]
# JAX looks a program up by the type and value of the setting (`100` and `100.0` make two programs),
# so a static value must be *hashable*. Integers, strings and tuples of them are. Lists and arrays
# are not:

# %% tags=["raises-exception"]
jitted_loud_cap(counts, jnp.float32(100))

# %% [markdown]
# ```
# ValueError: Non-hashable static arguments are not supported. An error occurred while trying to
# hash an object of type <class 'jaxlib._jax.ArrayImpl'>, 100.0. The error was:
# TypeError: unhashable type: 'jaxlib._jax.ArrayImpl'
# ```
#
# ## Your task
#
# Before people look at counts, they often transform them with the Box-Cox family: the logarithm for
# power 0, a power of the counts otherwise. `box_cox(counts, power)` below fails with the same error
# as `cap_or_keep`. Repair it so that
#
# * the results are those of the formula below, for any counts (floats) and any integer `power`;
# * it stays **one jitted function**, pure, and is called with a plain Python integer as `power`;
# * it is compiled at most once for each value of `power` (and each shape), and not again.


# %% solution="static_branch"
### BEGIN SOLUTION
@partial(jax.jit, static_argnames="power")
def box_cox(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def box_cox(counts, power):
#     if power == 0:
#         return jnp.log(counts + 1)
#     return ((counts + 1) ** power - 1) / power
### END STARTER

# %% [markdown]
# Run the check as often as you like.

# %% check="static_branch"
check("static_branch")

# %% [markdown]
# ## What did it cost?
#
# A static argument becomes part of the program, so **every new value is a new compilation**, and
# every compiled program is kept. With three powers, you hardly notice three programs. With a
# setting that changes at each of 1000 steps, you wait for 1000 orange bars.
#
# How you pass the setting matters, too.
#
# **Predict before you run.** The function below is called three times with a cap of 100: by
# default, by position, and by name. How many times is it traced?

# %% tags=["demo"]
predict("traces for one cap, passed in three ways", ...)

# %% tags=["demo"]
traced = []


@partial(jax.jit, static_argnames="cap")
def cap_by_default(x, cap=100):
    traced.append(cap)
    return jnp.minimum(x, cap)


cap_by_default(counts)
cap_by_default(counts, 100)
cap_by_default(counts, cap=100)
outcome("traces for one cap, passed in three ways", len(traced))

# %% [markdown]
# To take away:
#
# 1. Make an argument static when it is a *setting* that takes few values: a flag, a degree, a
#    number of iterations.
# 2. A static value must be hashable. An array is not. For a branch on *data*, use `lax.cond` or
#    `jnp.where`, which compile once for all values: that is the next lesson.
# 3. Pass a static argument the same way everywhere.
#
# The JAX documentation has more: [`jax.jit`](https://docs.jax.dev/en/latest/_autosummary/jax.jit.html)
# lists all options, and [JAX errors](https://docs.jax.dev/en/latest/101/errors.html) explains each
# error with examples.
#
# ## In your own words

# %% [markdown] question="why" points=2
# A colleague fits a model with `@partial(jax.jit, static_argnames="temperature")` and lowers the
# temperature a little at each of 1000 steps. Her friend made `temperature` an ordinary argument and
# replaced the `if temperature > 1` inside by `jnp.where`. Whose 1000 steps finish sooner, and why?
#
# ### BEGIN SOLUTION
# **Model answer.** The friend's. A static value is part of the compiled program: 1000 temperatures
# are 1000 traces and compilations, each of some tens of milliseconds or more, and 1000 programs
# are kept. As an ordinary argument the temperature is a tracer that stands for all values: one
# program, compiled once. `jnp.where` computes both branches, which costs far less than a
# compilation.
#
# **Grading.** 1 point: a new static value means a new compilation. 1 point: a traced argument is
# compiled once for all values (or: `where` has to compute both branches, and that is still cheap).
# ### END SOLUTION
# ### BEGIN STARTER
# *Write your answer here.*
# ### END STARTER

# %% [markdown]
# ## Drills
#
# Three small repairs of two minutes each. They are practice: checked, but without points. Each
# function must stay jitted, and give the right results.
#
# **1.** `sum_powers(x, degree)` returns `x + x**2 + ... + x**degree`, for a plain Python integer
# `degree` of at least 1. It fails.


# %% solution="sum_powers"
### BEGIN SOLUTION
@partial(jax.jit, static_argnames="degree")
def sum_powers(x, degree):
    return sum(x**k for k in range(1, degree + 1))


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def sum_powers(x, degree):
#     return sum(x**k for k in range(1, degree + 1))
### END STARTER

# %% check="sum_powers"
check("sum_powers")

# %% [markdown]
# **2.** `rescale(counts, unit)` returns shares of the total for `"share"`, and the counts themselves
# for `"count"`. It fails.


# %% solution="rescale"
### BEGIN SOLUTION
@partial(jax.jit, static_argnames="unit")
def rescale(counts, unit):
    return counts / counts.sum() if unit == "share" else counts


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def rescale(counts, unit):
#     return counts / counts.sum() if unit == "share" else counts
### END STARTER

# %% check="rescale"
check("rescale")

# %% [markdown]
# **3.** `soften(counts, root)` returns the square root if `root` is True, and the logarithm of
# `counts + 1` otherwise. Its author remembered `static_argnums`, but it still fails.


# %% solution="soften"
### BEGIN SOLUTION
@partial(jax.jit, static_argnums=1)
def soften(counts, root):
    return jnp.sqrt(counts) if root else jnp.log(counts + 1)


### END SOLUTION
### BEGIN STARTER
# def soften(counts, root):
#     return jnp.sqrt(counts) if root else jnp.log(counts + 1)
#
#
# soften = jax.jit(soften, static_argnums=0)
### END STARTER

# %% check="soften"
check("soften")

# %% [markdown]
# ## Stretch goal: at most two programs
#
# Your `box_cox` compiles a program for each power. Write `frugal_box_cox(counts, power)`, for which
# **two programs** are enough for all powers and one shape of counts. The power stays a plain Python
# integer. Unlike the task above, this one allows several jitted functions, and a plain function
# that chooses between them. The lesson's solution to this goal does that, so it would not pass the
# check of `box_cox`.


# %% solution="frugal_box_cox"
### BEGIN SOLUTION
@jax.jit
def transform_by_log(counts):
    return jnp.log(counts + 1)


@jax.jit
def transform_by_power(counts, power):
    return ((counts + 1) ** power - 1) / power


def frugal_box_cox(counts, power):
    return transform_by_log(counts) if power == 0 else transform_by_power(counts, power)


### END SOLUTION
### BEGIN STARTER
# frugal_box_cox = box_cox
### END STARTER

# %% check="frugal_box_cox"
check("frugal_box_cox")
