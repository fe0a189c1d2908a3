# %% [markdown]
# # How long did it take? Timing what runs elsewhere
#
# **You will learn** why a stopwatch around a JAX call lies in two ways, how to tell compiling from
# running, and how to report a time that another run will confirm. About 25 minutes.
#
# "It is faster with jit; for now, just believe it", tutorials say. Here you build the tool that
# makes believing unnecessary.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

import time

import jax
import jax.numpy as jnp


@jax.jit
def product_and_norm(x):
    return x @ x, jnp.linalg.norm(x)


x = jax.random.normal(jax.random.key(8), (1000, 1000))

# %% [markdown]
# ## See it fail
#
# An array has a method that waits until it has been computed. This function returns two arrays.

# %% tags=["raises-exception"]
product_and_norm(x).block_until_ready()

# %% [markdown]
# ```
# AttributeError: 'tuple' object has no attribute 'block_until_ready'
# ```
#
# That failure is easy: `jax.block_until_ready(result)` waits for everything in a tuple, list or
# dict. The failures below are worse, because nothing fails: you only get a wrong number.
#
# ## Why
#
# **Dispatch is asynchronous.** A call of a jitted function starts the program, hands you arrays
# that are still being computed, and returns. Python runs ahead while the device works. A clock
# stopped at that moment has measured how long it takes to *ask*.
#
# **The first call compiles.** It traces, compiles and runs; the others only run. Averaged together
# they give a number that is neither.
#
# **Machines are busy.** Now and then one call takes ten times as long, because something else ran.
# A mean takes the accident in; a *median* does not care.
#
# **Predict before you run.** Each line shows two times for one call: when it returned, and when the
# result was there. In which line is the first time the largest, and what is it in the others?

# %% tags=["demo"]
for attempt in ("first", "second", "third"):
    start = time.perf_counter()
    result = product_and_norm(x)
    returned = time.perf_counter() - start
    jax.block_until_ready(result)
    there = time.perf_counter() - start
    print(f"{attempt:>6} call: returned {1e3 * returned:7.2f} ms, there {1e3 * there:7.2f} ms")

# %% [markdown]
# A product of two matrices with 1000 rows takes two thousand million additions and multiplications.
# Whoever reports a tenth of a millisecond for it has timed the asking.
#
# ## Your task
#
# `time_call(function, *arguments)` below makes all these mistakes. Repair it so that
#
# * it works for any function of arrays, jitted or not, whatever that returns;
# * it makes one call first, which warms up, and then times at least five more, each until its
#   result is there;
# * it returns two numbers in seconds: `(compile_seconds, run_seconds)`. The second is the median of
#   the calls after the first; the first is what the first call took beyond that.

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
# The check hands your function others whose times it knows: they "compile" and "compute" by
# sleeping, and one call in five is slow. Run it as often as you like.

# %% check="timing"
check("timing")

# %% [markdown]
# ## What did it cost?
#
# Now the question that all this was for: is jit worth it? Compiling is paid once, running at every
# call. The next cell times one function both ways and draws the total after so many calls.

# %% tags=["demo"]
import matplotlib.pyplot as plt


def softened(x):
    for _ in range(8):
        x = jnp.log(jnp.exp(x) + jnp.exp(-x)) - 0.5 * x
    return x


plain, jitted = time_call(softened, x), time_call(jax.jit(softened), x)
for label, (compiling, running) in {"plain": plain, "jitted": jitted}.items():
    print(
        f"{label:>6}: {1e3 * running:6.1f} ms a call, after {1e3 * compiling:6.1f} ms of compiling"
    )

calls = range(1, 41)
for label, (compiling, running) in {"plain": plain, "jitted": jitted}.items():
    plt.plot(calls, [1e3 * (compiling + n * running) for n in calls], label=label)
plt.xlabel("calls")
plt.ylabel("milliseconds in all")
plt.ylim(bottom=0)
plt.legend()
plt.show()

# %% [markdown]
# The plain function compiles too: each of its `jax.numpy` operations is a small program of its own,
# made when it is first needed. Where the lines cross, if they do, jit begins to pay.
#
# Three habits to keep: warm up, wait, take the median; and compare two versions in turn (first one,
# then the other, and again) when the machine is busy. A GPU changes the numbers, not the rules:
# there the asking and the computing are even further apart.
#
# ## One question
#
# A colleague writes: "`start = time.time(); f(x); print(time.time() - start)` gives 800 ms for the
# first call of my jitted `f`, and 0.1 ms for the second. So compiling takes 799.9 ms, and `f` takes
# 0.1 ms." Which of the two conclusions would you doubt, why, and what should be measured instead?

# %% [markdown] question="why" points=2
# ### BEGIN SOLUTION
# Both, the second most. The call returns before the result is there, so 0.1 ms is the time of the
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
