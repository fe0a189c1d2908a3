# %% [markdown]
# # A branch that jit cannot take: static arguments
#
# **You will learn** what `TracerBoolConversionError` means, how to mend it by making one argument
# *static*, and what that costs. About 20 minutes.
#
# Counts of fungi and bacteria on oak leaves range from 0 to thousands. Before looking at them one
# transforms them, often with the family of Box and Cox: the logarithm for power 0, a power of the
# counts otherwise. One small function, one `if`, and `jax.jit` refuses it. Let us see why.

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
# ## See it fail
#
# Here is a jitted function with a branch. It is not the exercise yet, only the smallest example of
# the problem.


# %%
@jax.jit
def cap_or_keep(x, cap):
    if cap > 0:
        return jnp.minimum(x, cap)
    return x


# %% tags=["raises-exception"]
cap_or_keep(counts, 100)

# %% [markdown]
# The last lines of that long message are the ones to read:
#
# ```
# TracerBoolConversionError: Attempted boolean conversion of traced array with shape bool[].
# The error occurred while tracing the function cap_or_keep ... for jit. This concrete value was not
# available in Python because it depends on the value of the argument cap.
# ```
#
# ## Why
#
# `jit` does not run your function on numbers. It runs it once on *tracers*, which know a shape and
# a dtype but no value, and records what happens to them. The recording is compiled, and from then
# on the recording is what runs. A Python `if` needs a True or a False at once. `cap` is a tracer:
# it stands for all numbers, so Python cannot choose, and JAX says so.
#
# ## One way out: tell jit the value
#
# An argument marked **static** is not traced. Your function sees the plain Python value, `if`
# works, and the compiled program holds just the branch that was taken. There are two ways to mark
# it, and where a function's signature is plain, either one marks both the position and the name:
#
# * `jax.jit(f, static_argnums=1)`: by position, counted from 0;
# * `jax.jit(f, static_argnames="cap")`: by name.
#
# Several of them go in a tuple: `static_argnames=("cap", "verbose")`. The decorator takes the
# options too: `@jax.jit(static_argnames="cap")` in recent releases of JAX, and
# `@partial(jax.jit, static_argnames="cap")`, with `from functools import partial`, in all: that is
# `jax.jit` with one of its arguments filled in beforehand.
#
# **Predict before you run.** How often will the next cell print, and why not three times?


# %% tags=["demo"]
def loud_cap(x, cap):
    print("tracing for cap =", cap)
    return jnp.minimum(x, cap) if cap > 0 else x


jitted_loud_cap = jax.jit(loud_cap, static_argnames="cap")
for cap in (100, 100, 50):
    jitted_loud_cap(counts, cap)

# %% [markdown]
# Twice: the second call finds the program for `cap = 100` already made.
#
# JAX finds it as Python finds a key in a dictionary, so a static value must be *hashable*, as
# integers, strings and tuples are. Lists and arrays are not:

# %% tags=["raises-exception"]
jax.jit(lambda x, cap: jnp.minimum(x, cap), static_argnames="cap")(counts, jnp.float32(100))

# %% [markdown]
# ```
# ValueError: Non-hashable static arguments are not supported. An error occurred while trying to
# hash an object of type <class '...ArrayImpl'>, 100.0.
# ```
#
# ## Your task
#
# `box_cox(counts, power)` below fails with the very same error. Repair it so that
#
# * the results are those of the formula, for any counts and any integer `power`;
# * it stays **one jitted function**, pure, called with `power` a plain Python integer;
# * it is compiled at most once for each value of `power` (and each shape), and not again.

# %% solution="static_branch"
### BEGIN SOLUTION
from functools import partial


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
# every compiled program is kept. Three powers: three programs, and you hardly notice. A static
# *temperature* that changes at each of 1000 steps: 1000 compilations, and the jitted code is far
# slower than the plain one ever was. The next cell shows the price of one new value.

# %% tags=["demo"]
import time

import matplotlib.pyplot as plt


def milliseconds(power):
    start = time.perf_counter()
    jax.block_until_ready(box_cox(counts, power))
    return 1e3 * (time.perf_counter() - start)


try:
    powers = (4, 4, 4, 5, 5, 5, 6, 6, 6)
    times = [milliseconds(power) for power in powers]
    first = [power not in powers[:i] for i, power in enumerate(powers)]
    plt.bar(range(9), times, color=["tab:orange" if new else "tab:blue" for new in first])
    plt.xticks(range(9), [f"power {power}" for power in powers], rotation=60)
    plt.yscale("log")
    plt.ylabel("milliseconds")
    plt.title("nine calls: orange, the first with its power")
except jax.errors.TracerBoolConversionError:
    print("Repair box_cox first, then run this cell again.")

# %% [markdown]
# The key holds the *way* of calling, too. Positional or by name: another key, another trace.

# %% tags=["demo"]
jitted_loud_cap(counts, 7)
jitted_loud_cap(counts, cap=7)

# %% [markdown]
# Three rules to take away:
#
# 1. Make an argument static when it is a *setting* that takes few values: a flag, a degree, a
#    number of iterations.
# 2. A static value must be hashable. An array never is: for a branch on *data*, `lax.cond` and
#    `jnp.where` compile once for all values. The next lesson does.
# 3. Pass static arguments in one way everywhere.
#
# ## In your own words

# %% [markdown] question="why" points=2
# A colleague fits a model with `@partial(jax.jit, static_argnames="temperature")` and lowers the
# temperature a little at each of 1000 steps. Her friend made `temperature` an ordinary argument and
# replaced the `if temperature > 1` inside by `jnp.where`. Whose program runs faster, and why?
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
