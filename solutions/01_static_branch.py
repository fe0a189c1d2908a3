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
# Run this cell first: it imports the kit before JAX computes anything.
try:
    from autograder import check
except ModuleNotFoundError:
    raise SystemExit(
        "The kit is not installed in this kernel. Its README, section 'For students', has the one "
        "line that installs it without touching your JAX."
    ) from None

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
# works, and the compiled program holds just the branch that was taken:
#
# * `jax.jit(f, static_argnums=1)`: by position, counted from 0;
# * `jax.jit(f, static_argnames="cap")`: by name, which also works when the caller writes `cap=100`.
#
# The decorator takes the options too: `@jax.jit(static_argnames="cap")` in recent releases of JAX,
# `@partial(jax.jit, static_argnames="cap")` in all.
#
# **Predict before you run.** How often will the next cell print, and why not three times?


# %%
def loud_cap(x, cap):
    print("tracing for cap =", cap)
    return jnp.minimum(x, cap) if cap > 0 else x


jitted_loud_cap = jax.jit(loud_cap, static_argnames="cap")
for cap in (100, 100, 50):
    jitted_loud_cap(counts, cap)

# %% [markdown]
# ## Your task
#
# `box_cox(counts, power)` below fails with the very same error. Repair it so that
#
# * the results are those of the formula, for any counts and any integer `power`;
# * it stays **one jitted function**, pure, with `power` a plain Python integer;
# * it is compiled once for each value of `power` (and each shape), and not again.

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

# %%
import time


def milliseconds(power):
    start = time.perf_counter()
    jax.block_until_ready(box_cox(counts, power))
    return 1e3 * (time.perf_counter() - start)


try:
    for power in (4, 4, 5, 5):
        print(f"power {power}: {milliseconds(power):8.2f} ms")
except jax.errors.TracerBoolConversionError:
    print("Repair box_cox first, then run this cell again.")

# %% [markdown]
# Two rules to take away:
#
# 1. Make an argument static when it is a *setting* that takes few values: a flag, a degree, a
#    number of iterations.
# 2. A static value must be hashable (an integer, a string, a tuple). An array never is: for a
#    branch on *data*, `lax.cond` and `jnp.where` compile once for all values.
