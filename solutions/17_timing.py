# %% [markdown]
# # How long did it take? Timing what runs elsewhere
#
# **You will learn** why a stopwatch around a JAX call lies in two ways, how to tell compiling from
# running, and how to report a time that another run will confirm. About 25 minutes.
#
# Tutorials often ask you to believe that jit is faster. Here you build the tool that measures it.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check, predict
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

import time

import jax
import jax.numpy as jnp


@jax.jit
def product_and_norm(x):
    return x @ x, jnp.linalg.norm(x)


# Random numbers come from a key. Lesson `purity_hunt` says why.
x = jax.random.normal(jax.random.key(8), (1000, 1000))

# %% [markdown]
# ## See it fail
#
# A JAX array has a method that waits until the array has been computed. But this function returns
# two arrays.

# %% tags=["raises-exception"]
total_and_largest = jax.jit(lambda x: (x.sum(), x.max()))
total_and_largest(x).block_until_ready()

# %% [markdown]
# ```
# AttributeError: 'tuple' object has no attribute 'block_until_ready'
# ```
#
# That failure is easy to fix: `jax.block_until_ready(result)` waits for everything in a tuple, list
# or dict. The mistakes below are worse, because nothing fails: you only get a wrong number.
#
# ## Why
#
# **Dispatch is asynchronous.** A call, jitted or not, usually starts the program, hands you
# arrays that are still being computed, and returns. (On a CPU, some programs have ended before
# the call returns. Rely on neither.) Python runs ahead while the device works. A clock stopped at
# that moment has measured how long it takes to *ask*.
#
# **The first call compiles.** It traces, compiles and runs. The others only run. An average over
# all calls is neither the time to compile nor the time to run.
#
# **Machines are busy.** Now and then one call takes ten times as long, because something else ran.
# One such call shifts the mean; the *median* barely moves.
#
# **Predict before you run.** `product_and_norm` has not been called yet. Each line below shows two
# times for one call: when the call returned, and when its result was ready. Which call takes longest
# to return, and why? What do the other calls do before they return?

# %% tags=["demo"]
predict("the call that takes longest to return", ...)

# %% tags=["demo"]
for attempt in ("first", "second", "third"):
    start = time.perf_counter()
    result = product_and_norm(x)
    returned = time.perf_counter() - start
    jax.block_until_ready(result)
    ready = time.perf_counter() - start
    print(f"{attempt:>6} call: returned {1e3 * returned:7.2f} ms, ready {1e3 * ready:7.2f} ms")

# %% [markdown]
# The first call traces and compiles before it returns. The others only start the program: they
# return long before the result is ready. A product of two 1000 x 1000 matrices takes two billion
# additions and multiplications. Whoever reports a tenth of a millisecond for it on a CPU has timed
# the dispatch.
#
# ## Your task
#
# `time_call(function, *arguments)` below makes all these mistakes. Repair it so that
#
# * it works for any function of arrays, jitted or not, whatever it returns;
# * it makes one call first, which warms up, and then times at least five more, each until its
#   result is ready;
# * it returns two numbers in seconds: `(compile_seconds, run_seconds)`. The second is the median of
#   the calls after the first. The first is how much longer the first call took than that median.

# %% solution="timing"
### BEGIN SOLUTION
import statistics


def time_call(function, *arguments):
    def seconds():
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        return time.perf_counter() - start

    first = seconds()
    run_seconds = statistics.median(seconds() for _ in range(7))
    return first - run_seconds, run_seconds


### END SOLUTION
### BEGIN STARTER
# def time_call(function, *arguments):
#     times = []
#     for _ in range(6):
#         start = time.perf_counter()
#         function(*arguments)
#         times.append(time.perf_counter() - start)
#     return 0.0, sum(times) / len(times)
### END STARTER

# %% [markdown]
# The check calls `time_call` with functions whose times it knows: they "compile" and "compute" by
# sleeping, and one call in five is slow. Run it as often as you like.

# %% check="timing"
check("timing")

# %% [markdown]
# ## What did it cost?
#
# Now the question behind all this: is jit worth it? You pay for compiling once, and for running at
# every call. The next cell times two functions, each without and with jit: sixteen years of growth,
# computed element by element, and one large matrix product.

# %% tags=["demo"]
import matplotlib.pyplot as plt


def growth(x):
    for _ in range(16):
        x = x + 0.1 * x * (1 - x)
    return x


def product(x):
    return x @ x


totals, calls, positive = {}, range(1, 41), jnp.abs(x)
for function in (growth, product):
    for label, version in (("plain", function), ("jitted", jax.jit(function))):
        compiling, running = time_call(version, positive)
        totals[function, label] = [1e3 * (compiling + n * running) for n in calls]
        print(f"{function.__name__:>7}, {label:>6}: {1e3 * running:6.1f} ms a call,", end=" ")
        print(f"the first one {1e3 * compiling:6.1f} ms more")

for label in ("plain", "jitted"):
    plt.plot(calls, totals[growth, label], label=f"growth, {label}")
plt.xlabel("calls")
plt.ylabel("milliseconds in all")
plt.ylim(bottom=0)
plt.legend()
plt.show()

# %% [markdown]
# `growth` has 64 small operations. Without jit each is a program of its own, compiled when it is
# first needed, and each reads the whole array from memory and writes a new one. Jitted, XLA
# **fuses** them: one pass through memory does it all, more than ten times as fast on two CPU cores.
# `product` is one operation. There is nothing to fuse, and jit gains nothing.
#
# Keep three habits: warm up, wait for the result, take the median. When the machine is busy, also
# alternate: time one version, then the other, then the first again. A GPU changes the numbers,
# not the rules.
#
# The JAX documentation has more: [just-in-time
# compilation](https://docs.jax.dev/en/latest/201/jit.html), and
# [`jax.block_until_ready`](https://docs.jax.dev/en/latest/_autosummary/jax.block_until_ready.html).
#
# ## One question
#
# A colleague writes: "`start = time.time(); f(x); print(time.time() - start)` gives 800 ms for the
# first call of my jitted `f`, and 0.1 ms for the second. So compiling takes 799.9 ms, and `f` takes
# 0.1 ms." Which of the two conclusions would you doubt, why, and what should be measured instead?

# %% [markdown] question="why" points=2
# ### BEGIN SOLUTION
# Both, the second most. The call returns before the result is ready, so 0.1 ms is the time of the
# dispatch: `f` may take far longer. The 800 ms hold tracing and compiling, and some of the run or
# none of it, so the difference is not the time of compiling either. Warm up once, wait for the
# result with `jax.block_until_ready` before the clock is stopped, and take the median of several
# calls; the first call beyond that median is what tracing and compiling cost.
#
# *Grading.* 1 point: 0.1 ms is the dispatch, because JAX returns before the computation is done.
# 1 point: `block_until_ready` (or using the values) inside the timed part, after a warm-up. The
# doubt about 799.9 ms, or the median, makes up for a weak statement of either.
# ### END SOLUTION
# ### BEGIN STARTER
# *Write your answer here.*
# ### END STARTER

# %% [markdown]
# ## Drills
#
# Three small repairs of two minutes each. They are practice: checked, but without points.
#
# **1.** `seconds_until_ready(function, x)` returns how long it takes until the result of
# `function(x)` is ready. It returns too little.


# %% solution="seconds_until_ready"
### BEGIN SOLUTION
def seconds_until_ready(function, x):
    start = time.perf_counter()
    jax.block_until_ready(function(x))
    return time.perf_counter() - start


### END SOLUTION
### BEGIN STARTER
# def seconds_until_ready(function, x):
#     start = time.perf_counter()
#     result = function(x)
#     seconds = time.perf_counter() - start
#     jax.block_until_ready(result)
#     return seconds
### END STARTER

# %% check="seconds_until_ready"
check("seconds_until_ready")

# %% [markdown]
# **2.** `seconds_when_warm(function, x)` times a call of a jitted function without its compilation.
# It returns the time of the first call.


# %% solution="seconds_when_warm"
### BEGIN SOLUTION
def seconds_when_warm(function, x):
    jax.block_until_ready(function(x))
    start = time.perf_counter()
    jax.block_until_ready(function(x))
    return time.perf_counter() - start


### END SOLUTION
### BEGIN STARTER
# def seconds_when_warm(function, x):
#     start = time.perf_counter()
#     jax.block_until_ready(function(x))
#     return time.perf_counter() - start
### END STARTER

# %% check="seconds_when_warm"
check("seconds_when_warm")

# %% [markdown]
# **3.** `seconds_per_call(function, x)` calls a function that is already warm, exactly 5 times,
# and returns the seconds of one call: the mean, the median or the smallest. It returns another
# number.


# %% solution="seconds_per_call"
### BEGIN SOLUTION
def seconds_per_call(function, x):
    start = time.perf_counter()
    for _ in range(5):
        jax.block_until_ready(function(x))
    return (time.perf_counter() - start) / 5


### END SOLUTION
### BEGIN STARTER
# def seconds_per_call(function, x):
#     start = time.perf_counter()
#     for _ in range(5):
#         jax.block_until_ready(function(x))
#     return time.perf_counter() - start
### END STARTER

# %% check="seconds_per_call"
check("seconds_per_call")
