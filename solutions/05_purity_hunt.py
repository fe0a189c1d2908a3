# %% [markdown]
# # Hunting side effects: lists, dictionaries, random numbers, donated memory
#
# **You will learn** four ways in which a jitted function quietly depends on the world around it or
# changes it, and what to write instead. About 35 minutes.
#
# A pure function gets everything through its arguments, gives everything back with `return`, and does
# nothing else. `jit` assumes that yours is pure. It does not check.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check, predict
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from plnkit import load_oaks

oaks = load_oaks()
counts, offsets = jnp.asarray(oaks.Y), jnp.asarray(oaks.O) - 6.0
counts.shape, offsets.shape

# %% [markdown]
# ## See it fail

# %%
seen = []


@jax.jit
def mean_count(y):
    mean = y.mean()
    seen.append(mean)
    return mean


mean_count(counts), mean_count(counts + 1)
print(len(seen), "entry after two calls:", seen)

# %% tags=["raises-exception"]
seen[0] + 1

# %% [markdown]
# ```
# UnexpectedTracerError: Encountered an unexpected tracer. A function transformed by JAX had a side
# effect, allowing for a reference to an intermediate value with type float32[] wrapped in a
# DynamicJaxprTracer to escape the scope of the transformation.
# ```
#
# ## Why
#
# Python ran the body of `mean_count` once, while tracing. So the list got one entry, not two. And the
# entry is not a number: it is the tracer that stood for `mean` in a recording that has ended. JAX
# says that it *leaked*.
#
# Reading is as bad as writing, only harder to notice. What a function reads from outside, it reads
# once for each trace, and the value is a constant of that program. A call with another shape or dtype
# traces again, and may find another value.
#
# **Predict before you run.** Four calls with the same type of argument. How many different results?

# %% tags=["demo"]
predict("how many different results", ...)

# %% tags=["demo"]
settings, rng = {"scale": 1.0}, np.random.default_rng()


@jax.jit
def noisy(x):
    return x + settings["scale"] * rng.normal()


print(noisy(0.0), noisy(0.0))
settings["scale"] = 100.0
print(noisy(0.0), noisy(0.0))

# %% [markdown]
# One. The random number was drawn while tracing, and the scale was read while tracing. There is no
# error and no warning, but a fit that uses this is wrong.
#
# ## Your task
#
# ### First: a history and a dictionary of settings
#
# `fit(Y, O, rate)` fits the log abundance of each species by gradient descent, and returns it with the
# loss before each of its ten steps. It keeps the rate in a dictionary and the losses in a list, and
# fails with the error above. Repair it: same arguments, same results, one jitted function, no global
# state.


# %% solution="purity_hunt"
### BEGIN SOLUTION
def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


@jax.jit
def fit(Y, O, rate):
    def step(B, _):
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        return B - rate * slope, loss

    return lax.scan(step, jnp.zeros_like(Y[0]), length=10)


### END SOLUTION
### BEGIN STARTER
# history, options = [], {"rate": 0.001}
#
#
# def poisson_loss(B, Y, O):
#     eta = O + B
#     return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()
#
#
# @jax.jit
# def fit(Y, O, rate):
#     options["rate"] = rate
#
#     def step(B, _):
#         loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
#         history.append(loss)
#         return B - options["rate"] * slope, None
#
#     B, _ = lax.scan(step, jnp.zeros_like(Y[0]), length=10)
#     return B, jnp.stack(history)
### END STARTER

# %% check="purity_hunt"
check("purity_hunt")

# %% tags=["demo"]
import matplotlib.pyplot as plt

try:
    for rate in (0.001, 0.002, 0.004):
        plt.plot(fit(counts, offsets, rate)[1], "o-", label=f"rate {rate}")
    plt.xlabel("step")
    plt.ylabel("loss")
    plt.legend()
except jax.errors.UnexpectedTracerError:
    print("Repair fit first, then run this cell again.")

# %% [markdown]
# ### Second: random numbers
#
# JAX's random numbers are pure: they are a function of a *key*. `jax.random.key(8)` makes one, from any
# integer. The same key always gives the same numbers. For other numbers you make other keys,
# `key_1, key_2 = jax.random.split(key)`, and use each of them once.
#
# `two_draws(key, M, S)` returns two independent draws from the normal distribution with mean `M` and
# standard deviation `S`, entry by entry. It is given a key and does not use it. Repair it: other keys
# give other draws, and the two draws of one call are independent.


# %% solution="purity_hunt_noise"
### BEGIN SOLUTION
@jax.jit
def two_draws(key, M, S):
    key_1, key_2 = jax.random.split(key)
    first = M + S * jax.random.normal(key_1, M.shape)
    second = M + S * jax.random.normal(key_2, M.shape)
    return first, second


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def two_draws(key, M, S):
#     first = M + S * np.random.normal(size=M.shape)
#     second = M + S * np.random.normal(size=M.shape)
#     return first, second
### END STARTER

# %% check="purity_hunt_noise"
check("purity_hunt_noise")

# %% [markdown] question="why" points=2
# **In your own words** (two to four sentences): a colleague draws the noise with NumPy *outside* jit
# and passes the array as an argument. Is the jitted function pure now? Why would you still prefer a
# key?
#
# ### BEGIN SOLUTION
# **Model answer.** Yes, that is pure: the result depends on the arguments only, and jit traces the
# noise like any other array. But the numbers are made by NumPy on the CPU, one call after another, and
# sent to the device at each call; for large arrays or many steps that costs more than drawing them
# there. And a loop inside of jit (`scan`) or a `vmap` needs all of the noise beforehand, in memory,
# whereas a key is two integers that can be split anywhere, also inside of the program, and written
# down to get the same run again.
#
# **Grading notes.** 1 point: it is pure, because the noise is an argument. 1 point: one true drawback
# against keys (transfer or memory, not usable within scan or vmap without drawing all beforehand,
# reproducibility resting on NumPy's hidden state).
# ### END SOLUTION
# ### BEGIN STARTER
# *Write your answer here.*
# ### END STARTER

# %% [markdown]
# ### Third: donated memory
#
# A step that makes a new large array from an old one needs memory for both, unless it may overwrite
# the old one. `donate_argnums=0` gives the memory of the first argument away. This *deletes* the
# caller's array, which is a side effect on purpose:


# %% tags=["demo"]
@partial(jax.jit, donate_argnums=0)
def halve(x):
    return x / 2


old = jnp.arange(3.0)
new = halve(old)
try:
    print(old)
except RuntimeError as error:
    print(type(error).__name__, ":", error)

# %% [markdown]
# `relax` below donates, and `smooth` calls it several times. The second call gets an array that was
# deleted. Repair `smooth(M, target, steps)` so that
#
# * it returns `M` after `steps` calls of `relax`;
# * the `M` that the caller of `smooth` passed in is still there afterwards;
# * `relax` still donates: no step may allocate a new array.


# %% solution="purity_hunt_donation"
### BEGIN SOLUTION
@partial(jax.jit, donate_argnums=0)
def relax(M, target):
    return M + 0.5 * (target - M)


def smooth(M, target, steps):
    M = M.copy()  # a copy of our own, to give away
    for _ in range(steps):
        M = relax(M, target)
    return M


### END SOLUTION
### BEGIN STARTER
# @partial(jax.jit, donate_argnums=0)
# def relax(M, target):
#     return M + 0.5 * (target - M)
#
#
# def smooth(M, target, steps):
#     for _ in range(steps):
#         relax(M, target)
#     return M
### END STARTER

# %% check="purity_hunt_donation"
check("purity_hunt_donation")

# %% [markdown]
# ## What did it cost?
#
# Returning the losses costs nothing: `scan` writes them into one array. A key is two integers by
# default. Donation even saves time: the next cell changes one entry of an array of 32 MB.


# %% tags=["demo"]
import statistics
import time


def add_one(x):
    return x.at[0].add(1.0)


def milliseconds(step):
    x, times = step(jnp.zeros(2**23)), []  # compiles
    jax.block_until_ready(x)
    for _ in range(15):
        start = time.perf_counter()
        x = jax.block_until_ready(step(x))  # `x` may be donated, so keep what is returned
        times.append(time.perf_counter() - start)
    return 1e3 * statistics.median(times)


print(f"a new array each step: {milliseconds(jax.jit(add_one)):7.3f} ms")
print(f"donated:               {milliseconds(jax.jit(add_one, donate_argnums=0)):7.3f} ms")

# %% [markdown]
# Inside one jitted function you need no donation: XLA reuses memory there by itself. Donate where a
# jitted function is called in a loop with a large state, and rebind the name at once:
# `M = relax(M, target)`.
#
# The JAX documentation has more: [pseudorandom
# numbers](https://docs.jax.dev/en/latest/101/random.html), and [stateful
# computations](https://docs.jax.dev/en/latest/101/state.html).

# %% [markdown]
# ## Drills
#
# Three small repairs of two minutes each. They are practice: checked, but without points.
#
# **1.** `mean_path(x)` makes three steps, and returns `x` and an array with its largest value after
# each. Only `x` comes back, and the list outside holds tracers.


# %% solution="mean_path"
### BEGIN SOLUTION
@jax.jit
def mean_path(x):
    largest = []
    for _ in range(3):
        x = (x + x.mean()) / 2
        largest.append(x.max())
    return x, jnp.array(largest)


### END SOLUTION
### BEGIN STARTER
# largest = []
#
#
# @jax.jit
# def mean_path(x):
#     for _ in range(3):
#         x = (x + x.mean()) / 2
#         largest.append(x.max())
#     return x
### END STARTER

# %% check="mean_path"
check("mean_path")

# %% [markdown]
# **2.** `shrink_once_more(x, calls)` returns `x / 2`, and the number of calls so far plus 1. Its
# results are right. But it also writes to a global variable, where it leaves a tracer.


# %% solution="shrink_once_more"
### BEGIN SOLUTION
@jax.jit
def shrink_once_more(x, calls):
    return x / 2, calls + 1


### END SOLUTION
### BEGIN STARTER
# counted = 0
#
#
# @jax.jit
# def shrink_once_more(x, calls):
#     global counted
#     counted = calls + 1
#     return x / 2, counted
### END STARTER

# %% check="shrink_once_more"
check("shrink_once_more")

# %% [markdown]
# **3.** `mean_and_warning(x)` returns the mean of `x`, and whether any value is larger than 100.
# It does. But it also prints, only while tracing, and what it prints is a tracer.


# %% solution="mean_and_warning"
### BEGIN SOLUTION
@jax.jit
def mean_and_warning(x):
    return x.mean(), x.max() > 100


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def mean_and_warning(x):
#     is_large = x.max() > 100
#     print("larger than 100:", is_large)
#     return x.mean(), is_large
### END STARTER

# %% check="mean_and_warning"
check("mean_and_warning")
