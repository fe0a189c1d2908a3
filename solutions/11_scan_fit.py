# %% [markdown]
# # The loop inside the program: lax.scan
#
# **116 additions in a Python loop make a program of 354 lines. As a scan they make 28, and so would a
# million.**
#
# **You will learn** to write a loop as `jax.lax.scan`, what a *carry* may be, and why a scan that
# is not inside `jit` may be compiled again and again. About 35 minutes.
#
# In the last lesson each step of the fit was one program, which Python started at every iteration.
# Now the loop goes into the program too, and Python starts one program for the whole fit.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check, outcome, predict
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

import jax
import jax.numpy as jnp
import optax

from plnkit import load_oaks
from plnkit.course import best_Omega, largest, loss, optimizer, start

oaks = load_oaks()
counts, offsets, covariates = jnp.asarray(oaks.Y), jnp.asarray(oaks.O), jnp.asarray(oaks.X)

# %% tags=["demo"]
import time


def total_in_python(x):
    total = 0.0
    for i in range(x.shape[0]):
        total = total + x[i]
    return total


def total_by_scan(x):
    return jax.lax.scan(lambda total, one: (total + one, None), jnp.zeros(()), x)[0]


for function in (total_in_python, total_by_scan):
    lowered = jax.jit(function).lower(counts[:, 0])  # traced, not run
    began = time.perf_counter()
    lowered.compile()
    seconds = time.perf_counter() - began
    lines = len(lowered.as_text().splitlines())  # of what the compiler gets
    print(f"{function.__name__:16} {lines:4} lines, compiled in {seconds:.2f} s")

# %% [markdown]
# ## See it fail
#
# `lax.scan(body, carry, xs)` calls `body(carry, x)` for each `x` of `xs`. The *carry* is what one
# iteration hands to the next. Here is a running total of one taxon's counts. It looks right.


# %% tags=["raises-exception"]
def add(total, x):
    return total + x


jax.lax.scan(add, jnp.zeros(()), counts[:, 0])

# %% [markdown]
# ```
# TypeError: scan body output must be a pair, got float32[].
# ```
#
# The body must return two things: the new carry, and what to *keep* from this iteration. Scan
# stacks what is kept into an array. You need no list and no `.at[i].set`:


# %%
def add_and_keep(total, x):
    total = total + x
    return total, total


total, running = jax.lax.scan(add_and_keep, jnp.zeros(()), counts[:, 0])
print("total:", total, " running total:", running[::20])

# %% [markdown]
# The second thing that goes wrong is the carry's type. Counts are whole numbers, so why not start from
# an int32 zero?

# %% tags=["raises-exception"]
jax.lax.scan(add_and_keep, jnp.int32(0), counts[:, 0])

# %% [markdown]
# ```
# TypeError: scan body function carry input and carry output must have equal types, but they differ:
#
# The input carry total has type int32[] but the corresponding output carry component has type
# float32[], so the dtypes do not match.
# ```
#
# ## Why
#
# A scan is one program with a loop in it. The body is traced for the types that the carry has at the
# start, and this one recording serves all iterations. What comes out must fit in again: structure,
# shapes and dtypes are the same at the end of the body as at its beginning. (A plain `0` would pass. It
# is weakly typed: scan traces the body a second time, with a float.)
#
# **Predict before you run.** The next cell calls each of three functions three times. How many
# times in all does the second function, which defines its body inside, trace that body?

# %% tags=["demo"]
predict("traces in three calls, with a new body each time", ...)


# %% tags=["demo"]
traced = []


def add_loudly(total, x):
    traced.append(x)  # a side effect: it happens only while tracing
    return total + x, None


def same_body(x):
    return jax.lax.scan(add_loudly, jnp.zeros(()), x)[0]


def new_body(x):
    def body(total, x):
        return add_loudly(total, x)

    return jax.lax.scan(body, jnp.zeros(()), x)[0]


def count_traces(function):
    traced.clear()
    for _ in range(3):
        function(counts[:, 0])
    return len(traced)


print("outside jit, always the same body:  ", count_traces(same_body))
print("outside jit, a new body at each call:", count_traces(new_body))
print("inside jit, a new body at each call: ", count_traces(jax.jit(new_body)))
outcome("traces in three calls, with a new body each time", count_traces(new_body))

# %% [markdown]
# Outside `jit`, scan compiles a loop for its body, and reuses that loop when it gets the same
# function. A function defined inside another is a *new* one at each call, and so is a `lambda`.
# Bodies are usually written like that, because they use variables around them. Inside `jit`
# everything is traced once, whatever the body is.
#
# ## Your task
#
# `fit` below fails with the error on types. Repair it so that
#
# * it returns three things, in this order: the parameters after `n_iterations`, `moved` (the
#   largest update in the last iteration), and the ELBO before each iteration;
# * it is **one jitted function** (or a plain one that calls one), pure, with `n_iterations` a plain
#   Python integer of at least 1;
# * it is compiled once for each size and number of iterations, and its program does not grow with
#   the number of iterations.

# %% solution="scan_fit"
### BEGIN SOLUTION
from functools import partial


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    def body(carry, _):
        params, Omega, state, _ = carry
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, state)
        params = optax.apply_updates(params, updates)
        return (params, best_Omega(params), state, largest(updates)), -value

    params, Omega = start(Y, O, X)
    carry = params, Omega, optimizer.init(params), jnp.zeros(())
    (params, _, _, moved), elbos = jax.lax.scan(body, carry, length=n_iterations)
    return params, moved, elbos


### END SOLUTION
### BEGIN STARTER
# def fit(Y, O, X, n_iterations):
#     def body(carry, _):
#         params, Omega, state, moved = carry
#         value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
#         updates, state = optimizer.update(gradient, state)
#         params = optax.apply_updates(params, updates)
#         moved = largest(updates)
#         return (params, best_Omega(params), state, moved), -value
#
#     params, Omega = start(Y, O, X)
#     moved = jnp.int32(0)
#     carry = params, Omega, optimizer.init(params), moved
#     (params, _, _, moved), elbos = jax.lax.scan(body, carry, length=n_iterations)
#     return params, moved, elbos
### END STARTER

# %% [markdown]
# Run the check as often as you like.

# %% check="scan_fit"
check("scan_fit")

# %% [markdown]
# Once it passes, fit the oaks all the way, in one call. Your fit is drawn beside those of the last
# lesson, measured on another machine.

# %% tags=["demo"]
from IPython.display import display

from plnkit.course import plot_progress

try:
    began = time.perf_counter()
    params, moved, elbos = jax.block_until_ready(fit(counts, offsets, covariates, 1000))
    seconds = time.perf_counter() - began
    print(f"ELBO {elbos[-1]:.0f} nats after {seconds:.1f} s; the best there is: -32026")
    display(plot_progress("your scan", seconds, elbos))
except TypeError:
    print("Repair fit first, then run this cell again.")

# %% [markdown]
# ## In your own words
#
# You could also put `@jax.jit` on a function with an ordinary `for` loop over `n_iterations` steps.
# It would give the same numbers. Say in two or three sentences what jit makes of such a loop, what
# that costs for 1000 iterations, and why a scan, which avoids that cost, must insist that the carry
# keeps its types.

# %% [markdown] question="why" points=2
# ### BEGIN SOLUTION
# While tracing, Python runs the loop: the recording holds every step, one after the other. The
# program is 1000 times as large as one step's, and compiling it takes minutes or more. A scan records
# its body once, and the compiled program runs that recording over and over; the body is only made
# for the types that it was recorded with, so what goes out as carry must be able to come in again.
#
# *Grading:* 1 point for unrolling (the program, and the time to compile, grow with the number of
# iterations). 1 point for "the body is recorded once, hence fixed types". Half a point less if the
# cost is put at run time only.
# ### END SOLUTION
# ### BEGIN STARTER
# *Write your answer here.*
# ### END STARTER

# %% [markdown]
# ## What did it cost?
#
# The first call for a number of iterations compiles, the others only run. More iterations take longer
# to run, and no longer to compile.

# %% tags=["demo"]
try:
    for n_iterations in (10, 10, 100, 100):
        began = time.perf_counter()
        jax.block_until_ready(fit(counts, offsets, covariates, n_iterations))
        print(f"{n_iterations:4} iterations: {1e3 * (time.perf_counter() - began):8.1f} ms")
except TypeError:
    print("Repair fit first, then run this cell again.")

# %% [markdown]
# To take away:
#
# 1. `body(carry, x)` returns `(carry, kept)`: put what the next iteration needs into the carry, and
#    keep what you want to see afterwards.
# 2. The carry keeps its structure, shapes and dtypes: start it with `jnp.zeros` of the right dtype.
# 3. A scan outside `jit` is compiled again for each new body function. Put it in a jitted function.
#
# The JAX documentation has more:
# [`lax.scan`](https://docs.jax.dev/en/latest/_autosummary/jax.lax.scan.html).

# %% [markdown]
# ## Drills
#
# Two small repairs of two minutes each. They are practice: checked, but without points.
#
# **1.** `smooth(x)` returns the smoothed series: each value is the mean of `x` there and of the
# smoothed value before, which is 0 at the start. It fails.


# %% solution="smooth"
### BEGIN SOLUTION
@jax.jit
def smooth(x):
    def body(before, one):
        value = (before + one) / 2
        return value, value

    return jax.lax.scan(body, jnp.zeros((), x.dtype), x)[1]


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def smooth(x):
#     def body(before, one):
#         return (before + one) / 2
#
#     return jax.lax.scan(body, jnp.zeros((), x.dtype), x)[1]
### END STARTER

# %% check="smooth"
check("smooth")

# %% [markdown]
# **2.** `total_by_taxon(Y)` adds up the rows of `Y` with a scan. It fails.


# %% solution="total_by_taxon"
### BEGIN SOLUTION
@jax.jit
def total_by_taxon(Y):
    start = jnp.zeros(Y.shape[1], Y.dtype)
    return jax.lax.scan(lambda total, row: (total + row, None), start, Y)[0]


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def total_by_taxon(Y):
#     return jax.lax.scan(lambda total, row: (total + row, None), 0.0, Y)[0]
### END STARTER

# %% check="total_by_taxon"
check("total_by_taxon")

# %% [markdown]
# ## Stretch goal: under 128 KiB of scratch
#
# `average_growth(x, steps)` returns the average of all states on the way. It keeps all of them for
# that: more than 2 MB for a table of 40 x 30 and 500 steps. Write it with **less than 128 KiB of
# scratch memory**, the memory that a program needs besides its arguments and results.


# %% solution="average_growth"
### BEGIN SOLUTION
def average_by_scan(x, steps):
    def body(carry, _):
        x, total = carry
        x = x + 0.1 * x * (1 - x)
        return (x, total + x), None

    (_, total), _ = jax.lax.scan(body, (x, jnp.zeros_like(x)), length=steps)
    return total / steps


average_growth = jax.jit(average_by_scan, static_argnames="steps")


### END SOLUTION
### BEGIN STARTER
# def average_growth(x, steps):
#     return average_of_states(x, steps)
#
#
# @jax.jit(static_argnames="steps")
# def average_of_states(x, steps):
#     def body(x, _):
#         x = x + 0.1 * x * (1 - x)
#         return x, x
#
#     return jax.lax.scan(body, x, length=steps)[1].mean(axis=0)
### END STARTER

# %% check="average_growth"
check("average_growth")
