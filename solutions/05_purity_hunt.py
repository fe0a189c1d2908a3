# %% [markdown]
# # Hunting side effects: hidden state, random numbers, donated memory
#
# **1000 calls, one random number: what `jit` makes of a function that is not pure.**
#
# **You will learn** how a jitted function quietly depends on the world around it or changes it, and
# what to write instead: arguments, results, keys, and memory that is given away on purpose. About
# 40 minutes.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check, outcome, predict
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

from functools import partial

import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt
import numpy as np

from plnkit import load_oaks

counts = jnp.asarray(load_oaks().Y)
counts.shape

# %% tags=["demo"]
rng = np.random.default_rng()
ways = {
    "NumPy's generator": jax.jit(lambda key: rng.normal()),
    "a key": jax.jit(lambda key: jax.random.normal(key)),
}
keys = jax.random.split(jax.random.key(8), 1000)

_, axes = plt.subplots(1, 2, figsize=(8, 2.5), sharex=True)
for axis, (name, draw) in zip(axes, ways.items(), strict=True):
    numbers = [float(draw(key)) for key in keys]
    axis.hist(numbers, bins=40, range=(-4, 4))
    axis.set(title=f"{name} (different numbers: {len(set(numbers))})", xlabel="1000 calls")

# %% [markdown]
# Both functions are jitted. The left one raises no error and no warning, and yet it is wrong.
#
# ## See it fail

# %% tags=["raises-exception"]
seen = []


@jax.jit
def mean_count(y):
    mean = y.mean()
    seen.append(mean)
    return mean


mean_count(counts), mean_count(counts + 1)
print(len(seen), "entry after two calls:", seen)
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
# A *pure* function gets everything through its arguments, and gives everything back with `return`.
# `jit` assumes that yours is pure, and does not check. Python runs the body once, while tracing:
# the list got one entry in two calls, and the entry is not a number but the tracer that stood for
# `mean` in a recording that has ended. JAX says that it *leaked*.
#
# Reading is as bad as writing, only harder to notice. What a function reads from outside, such as
# the state of NumPy's generator, is read once, while tracing, and becomes a constant of the
# program.
#
# **Predict before you run.** The scale is 1 in the first call and 100 in the second. What does the
# second call return?

# %% tags=["demo"]
predict("the second result", ...)

# %% tags=["demo"]
settings = {"scale": 1.0}


@jax.jit
def scaled(x):
    return settings["scale"] * x


first = scaled(1.0)
settings["scale"] = 100.0
second, third = scaled(1.0), scaled(jnp.ones(2))
print("first:", first, " second:", second, " third, of another shape:", third)
outcome("the second result", float(second))

# %% [markdown]
# The third call traces again, and finds another scale.
#
# ## Your task
#
# **What *pure* means in all tasks of this course.** What a function returns depends on its
# arguments alone, and a call changes nothing that outlives it: no global, no list or object made
# outside of the call, no file, and none of its arguments. It does not print, and makes no
# callbacks: `jax.debug.print` and `io_callback` are for debugging, not for what you hand in. Lists,
# dictionaries and objects that the call makes for itself are allowed.
#
# **What *one jitted function* means.** All of the work is in one compiled program. A plain function
# that passes its arguments to one jitted function, and returns its result, is just as good.
#
# ### First: a history and a dictionary of settings
#
# `fit(Y, O, rate)` estimates the log abundance `B` of each taxon from the counts `Y` and their
# offsets `O` (the log of how much was counted), by ten steps of gradient descent from zero. It
# returns `B` and an array with the loss before each step. The first call is right. A call with a
# table of another shape fails with the error above, because of the losses in the list. Repair
# `fit`: same arguments, same results, one jitted function, pure.


# %% solution="purity_hunt"
### BEGIN SOLUTION
@jax.jit
def fit(Y, O, rate):
    B, losses = jnp.zeros_like(Y[0]), []
    for _ in range(10):
        fitted = jnp.exp(O + B)
        losses.append((fitted - Y * (O + B)).sum(axis=1).mean())
        B = B - rate * (fitted - Y).mean(axis=0)
    return B, jnp.stack(losses)


### END SOLUTION
### BEGIN STARTER
# history, options = [], {"rate": 0.001}
#
#
# @jax.jit
# def fit(Y, O, rate):
#     options["rate"] = rate
#     B = jnp.zeros_like(Y[0])
#     for _ in range(10):
#         fitted = jnp.exp(O + B)
#         history.append((fitted - Y * (O + B)).sum(axis=1).mean())
#         B = B - options["rate"] * (fitted - Y).mean(axis=0)
#     return B, jnp.stack(history)
### END STARTER

# %% check="purity_hunt"
check("purity_hunt")

# %% [markdown]
# ### Second: random numbers
#
# JAX's random numbers are pure: they are a function of a *key*. `jax.random.key(8)` makes one from
# an integer, and `jax.random.normal(key, shape)` draws with it. The same key always gives the same
# numbers. For other numbers you make other keys, `key_1, key_2 = jax.random.split(key)`, and use
# each of them once.
#
# `two_draws(key, M, S)` returns two independent draws from the normal distribution with mean `M`
# and standard deviation `S`, entry by entry. It is given a key but does not use it. Repair it, so
# that different keys give different draws, and the two draws of one call are independent.


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

# %% [markdown]
# More about keys, in loops and for many rows, is in lesson [`random_keys`](lesson:random_keys).

# %% [markdown] question="why" points=2
# **In your own words** (two to four sentences): a colleague draws the noise with NumPy *outside* jit
# and passes the array as an argument. Is the jitted function pure now? Why would you still prefer a
# key?
#
# ### BEGIN SOLUTION
# **Model answer.** Yes, that is pure: the result depends on the arguments only, and jit traces the
# noise like any other array. But the numbers are made by NumPy on the CPU, one call after another, and
# sent to the device at each call; for large arrays or many steps that costs more than drawing them
# there. And a loop inside of jit or a `vmap` needs all of the noise beforehand, in memory, whereas a
# key is two integers that can be split anywhere, also inside of the program, and written down to get
# the same run again.
#
# **Grading notes.** 1 point: it is pure, because the noise is an argument. 1 point: one true drawback
# against keys (transfer or memory, not usable in a loop inside of jit or in vmap without drawing all
# beforehand, reproducibility resting on NumPy's hidden state).
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
# `relax` below donates `M`, and `smooth` calls it several times. The second call gets an array that was
# deleted. Repair `smooth(M, target, steps)` so that
#
# * it returns what `steps` steps of `relax` make of `M`; for no steps, that is `M` itself or a copy;
# * the `M` and the `target` that the caller passed in are still there afterwards;
# * `relax` still donates `M`, and only one new array of this size is made: by a copy before the
#   first step, or by a first step that does not donate. Each later step gets the very array that
#   the step before returned, and `target` as it is.


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
# Purity costs nothing: losses that are returned are part of the program, and a key is two integers
# by default. Donation even saves time where a little of a large array changes. Here, that is one
# entry of 32 MB:


# %% tags=["demo"]
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
    return 1e3 * float(np.median(times))


print(f"a new array each step: {milliseconds(jax.jit(add_one)):7.3f} ms")
print(f"donated:               {milliseconds(jax.jit(add_one, donate_argnums=0)):7.3f} ms")

# %% [markdown]
# To take away:
#
# 1. What a jitted function needs is an argument, and what it makes is returned.
# 2. A key is used once. Split it for more.
# 3. Donate where a jitted function is called in a loop with a large state, and rebind the name at
#    once: `M = relax(M, target)`. Inside one jitted function XLA reuses memory by itself.
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
# **2.** `shrink_once_more(x, calls)` returns `x / 2` and `calls + 1`: `calls` is the number of
# calls so far. Its results are right. But it also writes to a global variable, where it leaves a
# tracer.


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
