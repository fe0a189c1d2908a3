# %% [markdown]
# # Stop when it is good enough: loops that depend on data
#
# **You will learn** to write a loop that stops by itself under jit, with a tolerance that float32 can
# reach, a limit, and an honest answer when something went wrong. About 30 minutes.
#
# In the PLN model each count $y$ with offset $o$ has a latent position $z$, standard normal before
# one has seen the count, and $y$ is Poisson with rate $e^{o + z}$. The most likely $z$ makes
# $y - e^{o+z} - z$ zero. There is no formula for it; Newton's method finds it in a few steps. How
# many? That depends on the data.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

import jax
import jax.numpy as jnp
from jax import lax

from plnkit import load_oaks

oaks = load_oaks()
counts, offsets = jnp.asarray(oaks.Y), jnp.asarray(oaks.O) - 6.0
counts.shape, offsets.shape

# %% [markdown]
# ## See it fail
#
# One Newton step, for all entries at once, and a first loop:


# %%
def newton(z, counts, offsets):
    rate = jnp.exp(offsets + z)
    return z + (counts - rate - z) / (rate + 1)


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
# available in Python because it depends on ...
# ```
#
# ## Why
#
# `while` asks for True or False at every turn, and while tracing there is none. The loop itself has to
# go into the program:
#
#     lax.while_loop(go_on, step, start)          # as long as go_on(state) is true
#     lax.fori_loop(0, times, step, start)        # step(i, state), a given number of times
#
# `state` is everything that changes from turn to turn, as a tuple. `step` gets it and returns the next
# one: the same structure, shapes and dtypes. `go_on` gets it and returns one boolean; several
# conditions are joined with `&`, because `and` is a Python branch again.
#
# ### When to stop
#
# **Predict before you run.** Newton's method doubles the number of right digits at each turn. Below,
# the largest change at each of ten turns, for all of the oaks, in float32. From which turn on is it
# smaller than $10^{-10}$?

# %% tags=["demo"]
import matplotlib.pyplot as plt

z = jnp.log(counts + 0.5) - offsets
changes = []
for _ in range(10):
    new = newton(z, counts, offsets)
    changes.append(float(jnp.max(jnp.abs(new - z))))
    z = new
print([f"{change:.1e}" for change in changes])

plt.semilogy(range(1, 11), changes, "o-", label="largest change")
largest = jnp.max(jnp.abs(z))
plt.axhline(float(jnp.nextafter(largest, jnp.inf) - largest), ls="--", label="float32 spacing")
plt.axhline(1e-10, color="tab:red", label="1e-10")
plt.xlabel("turn")
plt.legend()

# %% [markdown]
# Never. The numbers between which `z` could still move are this far apart in float32, about $10^{-7}$
# of its size. So a tolerance must be *relative*, and well above $10^{-7}$: stop when no change is
# larger than, say, $10^{-5} (1 + |z|)$. And there must be a limit, because data can be worse than you
# think.
#
# ## Your task
#
# `latent_mode(counts, offsets, limit)` below has a loop that jit refuses and a tolerance that float32
# cannot reach. Repair it so that it returns three things:
#
# * `z`, after as many Newton steps as were needed, right to four digits;
# * `iterations`, the number of steps made, never more than `limit` (a plain integer, which may be 0);
# * `converged`, True only if the last change was small. Watch for missing counts: they are NaN.
#
# One jitted function, pure, whose program does not grow with `limit`.


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
# Run the check as often as you like. One warning: a loop that never ends cannot be interrupted, only
# the kernel can be restarted. Keep the limit in.

# %% check="early_stop"
check("early_stop")

# %% [markdown] question="why" points=2
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
#
# **In your own words** (two to four sentences): one count is NaN. What does a loop that goes on while
# `change > tolerance` do? And one that goes on while `~(change <= tolerance)`? How does the caller
# learn of it?

# %% [markdown]
# ## What did it cost?
#
# The loop with a test stops after a few turns; the one without does all of its fifty.

# %% tags=["demo"]
import time


@jax.jit
def fifty_steps(counts, offsets):
    first = jnp.log(counts + 0.5) - offsets
    return lax.fori_loop(0, 50, lambda _, z: newton(z, counts, offsets), first)


def milliseconds(function, *args):
    jax.block_until_ready(function(*args))  # compiles
    times = []
    for _ in range(15):
        start = time.perf_counter()
        jax.block_until_ready(function(*args))
        times.append(time.perf_counter() - start)
    return 1e3 * min(times)


try:
    _, iterations, converged = latent_mode(counts, offsets, 50)
    print(f"early stop: {milliseconds(latent_mode, counts, offsets, 50):7.2f} ms", end="")
    print(f"  ({iterations} steps, converged: {converged})")
    print(f"fifty steps: {milliseconds(fifty_steps, counts, offsets):6.2f} ms")
except jax.errors.TracerBoolConversionError:
    print("Repair latent_mode first, then run this cell again.")

# %% [markdown]
# A good part of the time is saved, but not 44 turns of 50: looking for the largest change takes longer
# than the Newton step itself. When a step is that cheap, testing at every other turn is a thought.
#
# What it costs elsewhere:
#
# * The reverse gradient does not go through `lax.while_loop`: nobody knows beforehand how many states
#   to keep. It does go through `lax.fori_loop` with fixed bounds, and through `lax.scan`.
# * Under `vmap`, the loop runs until the *last* member is done; the others wait.
