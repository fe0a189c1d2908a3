# %% [markdown]
# # Stop when it is good enough: loops that depend on data
#
# **Six Newton steps give what fifty give. The loop has to notice by itself.**
#
# **You will learn** to write a loop that stops by itself under jit, with a tolerance that float32 can
# reach, a limit, and an honest answer when something went wrong. About 35 minutes.
#
# In the Poisson-lognormal (PLN) model each count $y$ has a known offset $o$ (the log of how much
# was counted there, minus 6) and a latent position $z$. Before the count is seen, $z$ is standard
# normal; given $z$, the count $y$ is Poisson with rate $e^{o + z}$. The most likely $z$ makes $y -
# e^{o+z} - z$ zero. There is no formula for it. Newton's method finds it in a few steps, and how
# many depends on the data.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check, outcome, predict
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

import jax
import jax.numpy as jnp
from jax import lax

from plnkit import load_oaks

oaks = load_oaks()
counts, offsets = jnp.asarray(oaks.Y), jnp.asarray(oaks.O) - 6.0


def newton(z, counts, offsets):
    """One step of Newton's method, for all entries at once."""
    rate = jnp.exp(offsets + z)
    return z + (counts - rate - z) / (rate + 1)


# %% tags=["demo"]
@jax.jit
def newton_steps(counts, offsets, steps):
    first = jnp.log(counts + 0.5) - offsets
    return lax.fori_loop(0, steps, lambda _, z: newton(z, counts, offsets), first)


fifty = newton_steps(counts, offsets, 50)
for steps in (2, 4, 6):
    z = newton_steps(counts, offsets, steps)
    print(f"after {steps} steps, off by {jnp.max(jnp.abs(z - fifty) / (1 + jnp.abs(fifty))):.0e}")

# %% [markdown]
# ## See it fail
#
# A first loop that stops by itself:


# %%
@jax.jit
def shrink(x, bound):
    while x > bound:
        x = x / 2
    return x


# %% tags=["raises-exception"]
shrink(100.0, 1.0)

# %% [markdown]
# ```
# TracerBoolConversionError: Attempted boolean conversion of traced array with shape bool[].
# The error occurred while tracing the function shrink ... for jit. This concrete value was not
# available in Python because it depends on the values of the arguments x and bound.
# ```
#
# ## Why
#
# `while` needs True or False at every iteration, and a tracer is neither. The loop has to go into the
# program:
#
#     lax.while_loop(go_on, step, start)          # as long as go_on(state) is true
#     lax.fori_loop(0, times, step, start)        # step(i, state), a given number of times
#
# `state` is everything that changes from one iteration to the next, as a tuple. `step` gets it and
# returns the next state, with the same structure, shapes and dtypes. `go_on` gets it and returns one
# boolean. Join conditions with `&`, each in parentheses: `(a > b) & (i < n)`. `and` is a Python branch
# again.
#
# ### When to stop
#
# **Predict before you run.** Near the solution, Newton's method doubles the number of correct digits
# at each step. Of ten steps, which is the first whose largest change is below $10^{-10}$?

# %% tags=["demo"]
predict("the first step below 1e-10 (a number, or none)", ...)

# %% tags=["demo"]
import matplotlib.pyplot as plt

z = jnp.log(counts + 0.5) - offsets
changes = []
for _ in range(10):
    new = newton(z, counts, offsets)
    changes.append(float(jnp.max(jnp.abs(new - z))))
    z = new

plt.semilogy(range(1, 11), changes, "o-", label="largest change")
largest = jnp.max(jnp.abs(z))
plt.axhline(float(jnp.nextafter(largest, jnp.inf) - largest), ls="--", label="float32 spacing")
plt.axhline(1e-10, color="tab:red", label="1e-10")
plt.xlabel("step")
plt.legend()
below = [step for step, change in enumerate(changes, 1) if change < 1e-10]
outcome("the first step below 1e-10 (a number, or none)", below[0] if below else "none")

# %% [markdown]
# JAX computes in **float32** unless told otherwise, and converts NumPy's float64 arrays.
# Neighboring float32 numbers are about $10^{-7}$ of their size apart. A change is at least that
# large, or exactly 0, and among 13224 entries there is usually one that keeps moving. A tolerance
# must be *relative*, and well above $10^{-7}$: stop when no entry changes by more than, say,
# $10^{-5} (1 + |z|)$. And there must be a limit, because data can be worse than you think.
#
# (`jax.config.update("jax_enable_x64", True)`, at the start of a program, allows float64. Its arrays
# take twice the memory. Code that works in float32 needs no such switch.)
#
# ## Your task
#
# `latent_mode(counts, offsets, limit)` below has a loop that jit refuses and a tolerance that float32
# cannot reach. Repair it so that it returns three things:
#
# * `z`, right to four digits, after as many Newton steps as were needed, for counts of any shape
#   with at least one entry;
# * `iterations`, the number of steps made, never more than `limit` (a plain integer, which may be 0);
# * `converged`, one flag for all entries: True if and only if the last step changed no entry by
#   more than the tolerance, and False if no step was made.
#
# The tolerance is $10^{-5} (1 + |z|)$; anything from a tenth of it to ten times as much will do.
# Missing counts are NaN: where there is one, `converged` is False. Whether the loop then stops at once
# or runs to its limit is up to you, and so is `z`.
#
# It stays one jitted function, pure, whose program does not grow with `limit`. You may make `limit`
# static.


# %% solution="early_stop"
### BEGIN SOLUTION
@jax.jit
def latent_mode(counts, offsets, limit):
    def go_on(state):
        _, change, iterations = state
        return (change > 1e-5) & (iterations < limit)

    def step(state):
        z, _, iterations = state
        new = newton(z, counts, offsets)
        return new, jnp.max(jnp.abs(new - z) / (1 + jnp.abs(new))), iterations + 1

    start = jnp.log(counts + 0.5) - offsets
    z, change, iterations = lax.while_loop(go_on, step, (start, jnp.inf, 0))
    return z, iterations, change <= 1e-5


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def latent_mode(counts, offsets, limit):
#     z = jnp.log(counts + 0.5) - offsets
#     change, iterations = jnp.inf, 0
#     while change > 1e-10 and iterations < limit:
#         new = newton(z, counts, offsets)
#         change = jnp.max(jnp.abs(new - z))
#         z = new
#         iterations = iterations + 1
#     return z, iterations, change <= 1e-10
### END STARTER

# %% [markdown]
# Run the check as often as you like. One warning: you cannot interrupt a compiled loop that never
# ends. You can only restart the kernel. Keep the limit in.

# %% check="early_stop"
check("early_stop")

# %% [markdown] question="why" points=2
# **In your own words** (two to four sentences): one count is NaN. What happens in a loop that goes
# on while `change > tolerance`? And in one that goes on while `~(change <= tolerance)`? How does
# the caller find out?
#
# ### BEGIN SOLUTION
# **Model answer.** Every comparison with NaN is False. `change > tolerance` is False, so the loop ends
# at once, as if it had converged; a caller who only looks at the number of iterations takes it for a
# success. With `~(change <= tolerance)` the test is True for NaN, and stays so: the loop runs to its
# limit, or for ever when it has none. Either way the function must say what happened: success is
# `change <= tolerance`, which is False for NaN.
#
# **Grading notes.** 1 point: comparisons with NaN are False, so the first loop stops silently and the
# second does not stop. 1 point: the result must carry a flag (or the last change) that is tested the
# right way round; "remove the NaNs before" is worth half of this point.
# ### END SOLUTION
# ### BEGIN STARTER
# *Write your answer here.*
# ### END STARTER

# %% [markdown]
# ## What did it cost?
#
# Your loop stops by itself. For comparison, `newton_steps` from above always makes all fifty steps.

# %% tags=["demo"]
from plnkit.machine import median_seconds

try:
    _, iterations, converged = latent_mode(counts, offsets, 50)
    early = median_seconds(lambda: latent_mode(counts, offsets, 50), 15)
    print(f"early stop:  {1e3 * early:6.2f} ms  ({iterations} steps, converged: {converged})")
    fifty = median_seconds(lambda: newton_steps(counts, offsets, 50), 15)
    print(f"fifty steps: {1e3 * fifty:6.2f} ms")
except jax.errors.TracerBoolConversionError:
    print("Repair latent_mode first, then run this cell again.")

# %% [markdown]
# The time saved is less than the number of steps suggests: finding the largest change costs about as
# much as a Newton step. When a step is that cheap, test after every second one.
#
# Elsewhere, stopping early costs more. `jax.grad` cannot go backwards through `lax.while_loop`,
# because nobody knows beforehand how many states to keep. (It can through `lax.scan`, and through
# `lax.fori_loop` if both bounds are known while tracing.) And under `vmap` the loop runs until its
# *last* row is done.
#
# To take away:
#
# 1. The state is everything that changes; `step` returns it with the same types; `go_on` joins its
#    tests with `&`.
# 2. Make the tolerance relative and large enough for float32 to reach, and always set a limit.
# 3. Report success by a test that NaN fails: `change <= tolerance`.
#
# The JAX documentation has more:
# [`lax.while_loop`](https://docs.jax.dev/en/latest/_autosummary/jax.lax.while_loop.html), and
# [default dtypes and the x64 flag](https://docs.jax.dev/en/latest/101/default_dtypes.html).

# %% [markdown]
# ## Drills
#
# Three small repairs of two minutes each. They are practice: checked, but without points.
#
# **1.** `count_halvings(x)` returns how many times the float `x` must be halved until it is at
# most 1. It fails.


# %% solution="count_halvings"
### BEGIN SOLUTION
@jax.jit
def count_halvings(x):
    def halve(state):
        x, count = state
        return x / 2, count + 1

    return lax.while_loop(lambda state: state[0] > 1, halve, (x, 0))[1]


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def count_halvings(x):
#     count = 0
#     while x > 1:
#         x, count = x / 2, count + 1
#     return count
### END STARTER

# %% check="count_halvings"
check("count_halvings")

# %% [markdown]
# **2.** `shrink(x, steps)` divides `x` by 2, then by 3, and so on, `steps` times. `steps` is a JAX
# integer. The result is wrong.


# %% solution="shrink"
### BEGIN SOLUTION
@jax.jit
def shrink(x, steps):
    return lax.fori_loop(0, steps, lambda i, x: x / (i + 2), x)


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def shrink(x, steps):
#     return lax.fori_loop(0, steps, lambda x, i: x / (i + 2), x)
### END STARTER

# %% check="shrink"
check("shrink")

# %% [markdown]
# **3.** `average_until(x, tolerance)` moves all entries towards their mean until they differ by at
# most `tolerance`, a plain Python float. It compiles a program for each tolerance. Let **one
# program** serve all of them.


# %% solution="average_until"
### BEGIN SOLUTION
@jax.jit
def average_until(x, tolerance):
    return lax.while_loop(
        lambda x: jnp.max(x) - jnp.min(x) > tolerance,
        lambda x: (x + jnp.mean(x)) / 2,
        x,
    )


### END SOLUTION
### BEGIN STARTER
# def average_until(x, tolerance):
#     return average_until_close(x, tolerance)
#
#
# @jax.jit(static_argnames="tolerance")
# def average_until_close(x, tolerance):
#     return lax.while_loop(
#         lambda x: jnp.max(x) - jnp.min(x) > tolerance,
#         lambda x: (x + jnp.mean(x)) / 2,
#         x,
#     )
### END STARTER

# %% check="average_until"
check("average_until")
