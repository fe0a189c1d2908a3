# %% [markdown]
# # The loop inside the program: lax.scan
#
# **You will learn** to write a loop as `jax.lax.scan`, what a *carry* may be, and how a scan that is
# not inside `jit` can be compiled again and again. About 35 minutes.
#
# In the last lesson each step of the fit was one program, which Python started at every iteration.
# Now the loop goes into the program too, and Python starts one program for the whole fit.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check, predict
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

import jax
import jax.numpy as jnp
import optax

from plnkit import load_oaks
from plnkit.course import best_Omega, largest, loss, optimizer, start

oaks = load_oaks()
counts, offsets, covariates = jnp.asarray(oaks.Y), jnp.asarray(oaks.O), jnp.asarray(oaks.X)
counts.shape

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
# The body returns two things: the new carry, and what to *keep* of this iteration. Scan stacks what
# is kept into an array. You need no list and no `.at[i].set`:


# %%
def add_and_keep(total, x):
    total = total + x
    return total, total


total, running = jax.lax.scan(add_and_keep, jnp.zeros(()), counts[:, 0])
print("total:", total, " running total:", running[::20])

# %% [markdown]
# The second thing that goes wrong is the carry's type. Counts are whole numbers, so why not start
# from an int32 zero? (A plain `0` would pass: it is weakly typed, and scan makes it a float.)

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
# A scan is one program with a loop in it. The body is traced *once*, for the types of the carry at
# the start. What comes out must fit in again at the next iteration, so structure, shapes and dtypes
# must be the same at the end of the body as at its beginning. In Python each iteration may find
# other types. Here one recording serves all of them.
#
# **Predict before you run.** The next cell makes the same scan three times in each of three ways. How
# many times does it print in each case?

# %% tags=["demo"]
predict("how many times each way prints", ...)


# %% tags=["demo"]
def add_loudly(total, x):
    print("  tracing the body")
    return total + x, None


def total_of(x):
    return jax.lax.scan(add_loudly, jnp.zeros(()), x)[0]


def total_by_own_body(x):
    def body(total, x):
        return add_loudly(total, x)

    return jax.lax.scan(body, jnp.zeros(()), x)[0]


ways = {
    "outside jit, always the same body": total_of,
    "outside jit, a new body at each call": total_by_own_body,
    "inside jit": jax.jit(lambda x: total_by_own_body(x)),
}
for name, way in ways.items():
    print(name)
    for _ in range(3):
        way(counts[:, 0])

# %% [markdown]
# Outside `jit`, scan compiles a loop for its body, and finds it again if it gets the same body
# function. But a function defined inside another is a *new* function at each call, and so is a
# `lambda`. Bodies are usually written like that, because they use variables around them. Inside
# `jit` everything is traced once, whatever the body is.
#
# ## Your task
#
# `fit` below fails with the error on types. Repair it so that
#
# * it returns three things, in this order: the parameters after `n_iterations`, `moved` (the
#   largest update in the last iteration), and the ELBO before each iteration;
# * it is **one jitted function**, pure, with `n_iterations` a plain Python integer;
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
# Once it passes, fit the oaks in one call.

# %% tags=["demo"]
import matplotlib.pyplot as plt

try:
    params, moved, elbos = fit(counts, offsets, covariates, 200)
    plt.semilogy(-elbos)
    plt.xlabel("iteration")
    plt.ylabel("- ELBO (nats)")
    print(f"ELBO {elbos[-1]:.0f} nats; the last iteration moved a parameter by {moved:.3f}")
except TypeError:
    print("Repair fit first, then run this cell again.")

# %% [markdown]
# The highest ELBO that this model reaches on the oaks is -32026 nats: 200 steps are not enough.
#
# ## In your own words
#
# You could also put `@jax.jit` on a function with an ordinary `for` loop over `n_iterations` steps.
# It would give the same numbers. Say in two or three sentences what jit makes of such a loop, what
# that costs for 1000 iterations, and why a scan, which avoids it, must insist on the carry's types.

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
# The first call compiles, the others only run. More iterations take longer to run, but not to
# compile. A Python loop under jit does take longer to compile. The length of its program shows it:
# `.lower(...)` traces a jitted function without running it, and `.as_text()` shows what the compiler
# gets.

# %% tags=["demo"]
import time


def milliseconds(n_iterations):
    start = time.perf_counter()
    jax.block_until_ready(fit(counts, offsets, covariates, n_iterations))
    return 1e3 * (time.perf_counter() - start)


def total_in_python(x):
    total = 0.0
    for i in range(x.shape[0]):
        total = total + x[i]
    return total


def lines(function, length):
    return len(jax.jit(function).lower(counts[:length, 0]).as_text().splitlines())


try:
    for n_iterations in (10, 10, 100, 100):
        print(f"{n_iterations:4} iterations: {milliseconds(n_iterations):8.1f} ms")
except TypeError:
    print("Repair fit first, then run this cell again.")
print("lines of the scan's program for 8 and for 80 iterations:  ", end="")
print(lines(lambda x: jax.lax.scan(add_and_keep, jnp.zeros(()), x), 8), end=" ")
print(lines(lambda x: jax.lax.scan(add_and_keep, jnp.zeros(()), x), 80))
print("lines of the unrolled program for 8 and for 80 iterations:", end=" ")
print(lines(total_in_python, 8), lines(total_in_python, 80))

# %% [markdown]
# To take away:
#
# 1. `body(carry, x)` returns `(carry, kept)`: what the next iteration needs is carry, what you want
#    to see afterwards is kept.
# 2. The carry keeps its structure, shapes and dtypes: start it with `jnp.zeros` of the right dtype.
# 3. A scan outside `jit` is compiled again for each new body function. Put it in a jitted function.
#
# The JAX documentation has more:
# [`lax.scan`](https://docs.jax.dev/en/latest/_autosummary/jax.lax.scan.html).

# %% [markdown]
# ## Drills
#
# Three small repairs of two minutes each. They are practice: checked, but without points.
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
# **3.** `grow(x, steps)` makes a number of steps with a scan. `steps` is a plain Python integer. It
# compiles the scan at every call. Make it one jitted function.


# %% solution="grow"
### BEGIN SOLUTION
def grow_by_scan(x, steps):
    def body(x, _):
        return x + 0.1 * x * (1 - x), None

    return jax.lax.scan(body, x, length=steps)[0]


grow = jax.jit(grow_by_scan, static_argnames="steps")


### END SOLUTION
### BEGIN STARTER
# def grow(x, steps):
#     def body(x, _):
#         return x + 0.1 * x * (1 - x), None
#
#     return jax.lax.scan(body, x, length=steps)[0]
### END STARTER

# %% check="grow"
check("grow")

# %% [markdown]
# ## Stretch goal: under 128 KiB of scratch
#
# `average_growth(x, steps)` returns the average of all states on the way. It keeps all of them
# for that: more than 2 MB for a table of 40 x 30 and 500 steps. Write it with **less than 128 KiB
# of scratch memory**.


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
