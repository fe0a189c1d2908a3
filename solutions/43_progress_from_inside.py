# %% [markdown]
# # Progress from inside a compiled program
#
# **Eight reports out of one compiled fit of 400 iterations, while it runs, and it takes no longer.**
#
# **You will learn** how a compiled program calls Python, what JAX promises about such calls and what
# it does not, and what they cost. About 30 minutes.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check, outcome, predict
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

import time
from functools import partial

import jax
import jax.numpy as jnp
import optax
from jax import lax
from jax.experimental import io_callback

from plnkit import load_oaks
from plnkit.course import best_Omega, loss, optimizer, start

oaks = load_oaks()
Y, O, X = jnp.asarray(oaks.Y), jnp.asarray(oaks.O), jnp.asarray(oaks.X)

# %% tags=["demo"]
from plnkit.course import plot_progress

started = 0.0


def show(i, elbo):
    print(f"{time.perf_counter() - started:6.2f} s: iteration {i:4}, ELBO {elbo:.0f}")


@partial(jax.jit, static_argnames="reports")
def fit_oaks(params, Omega, reports):
    def step(carry, i):
        params, Omega, state = carry
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        if reports:
            lax.cond(i % 50 == 0, lambda: io_callback(show, None, i, -value), lambda: None)
        updates, state = optimizer.update(gradient, state)
        params = optax.apply_updates(params, updates)
        return (params, best_Omega(params), state), -value

    carry = params, Omega, optimizer.init(params)
    return lax.scan(step, carry, jnp.arange(400))[1]


begin = start(Y, O, X)
for reports in (True, False):
    compiled = fit_oaks.lower(*begin, reports).compile()
    started = time.perf_counter()
    elbos = jax.block_until_ready(compiled(*begin))
    seconds = time.perf_counter() - started
    print(f"{seconds:6.2f} s: done, {'with' if reports else 'no'} reports")
plot_progress("one compiled fit", seconds, elbos)

# %% [markdown]
# ## See it fail
#
# Everybody's first try is `print`:


# %% tags=["raises-exception"]
@jax.jit
def climb(x):
    def step(x, i):
        x = x + 0.1 * x * (1 - x)
        print(f"step {i}: {x:.3f}")
        return x, None

    return lax.scan(step, x, jnp.arange(5))[0]


climb(0.5)

# %% [markdown]
# ```
# TypeError: unsupported format string passed to DynamicJaxprTracer.__format__
# ```
#
# ## Why
#
# Python runs the body once, while tracing. There are no numbers yet, and `print` leaves nothing in
# the program. For Python to be called while the program runs, the program itself must contain an
# operation that does so, a **callback**:
#
# | callback | for | JAX's promise |
# | --- | --- | --- |
# | `jax.debug.print("x is {x}", x=x)` | a look at values | may be dropped, doubled or moved |
# | `jax.debug.callback(f, x)` | the same, with a function of yours | may be dropped, doubled or moved |
# | `io_callback(f, None, x)` | what belongs to the program, such as a log | called exactly once each time the program reaches it |
# | `jax.pure_callback(f, shape, x)` | a NumPy function whose result you need | may be dropped or doubled: `f` must be pure |
#
# The first three take `ordered=True`. Without it, JAX may make the calls in any order.
#
# A callback is a side effect that JAX knows about, so its use is limited: `io_callback` cannot be
# differentiated, and with `ordered=True` it cannot be mapped with `vmap`. `jax.debug.callback`
# allows both, at a price that the next cell shows. **Predict before you run.** The scan makes five
# steps, and each calls `count`. How many times is `count` called when the program computes the
# *gradient*?

# %% tags=["demo"]
predict("calls of count in the gradient", ...)

# %% tags=["demo"]
calls = []


def count():
    calls.append(1)


def five_sines(x):
    def step(x, _):
        jax.debug.callback(count)
        return jnp.sin(x), None

    return lax.scan(step, x, length=5)[0]


jax.jit(five_sines)(1.0)
jax.effects_barrier()  # wait until all callbacks were made
print("in the value:", len(calls))
calls.clear()
jax.jit(jax.grad(five_sines))(1.0)
jax.effects_barrier()
outcome("calls of count in the gradient", len(calls))

# %% [markdown]
# The call does not depend on the step, so JAX's derivative of the scan moves it out of the loop. That
# is allowed for a debug callback. When you debug a gradient, hand over a value that changes at each
# step.
#
# `jax.effects_barrier()` waits for callbacks, as `jax.block_until_ready` waits for results. A script
# that ends without it may lose its last lines.
#
# ### What purity says
#
# A pure function only computes its result from its arguments. One with a callback also *does*
# something. Its result may still depend on the arguments alone, and that is usually what you want:
# reporting must not change what is computed. Elsewhere in this course a callback costs points,
# because it is left over from debugging, and because each one stops a GPU that could run ahead. In
# the task below the function that is called, `report`, is an argument: whoever passes it asks for
# the effect.
#
# ## Your task: report every so many steps
#
# `fit(Y, O, rate, steps, every, report)` fits the log abundance of each taxon. It returns the
# estimate and the loss before each step. It should also call `report(i, value)`, with the number
# `i` of the step and the loss `value` before it, for `i` = 0, `every`, `2 * every` and so on below
# `steps`. But `report` is called once, and gets tracers. Repair it so that
#
# * `report` gets these numbers while the program runs, each time that `fit` is called;
# * the program guarantees that the calls come in order, and that none is left out;
# * it calls Python only when there is something to report. It does not call Python at each step and
#   decide there;
# * the result stays as it is, and `fit` stays one jitted function with one program, which does not call
#   Python for anything else. `steps`, `every` and `report` are static.
#
# `report` may be any function of two numbers that returns nothing.


# %% solution="progress_from_inside"
### BEGIN SOLUTION
def poisson_loss(b, Y, O):
    eta = O + b
    return (jnp.exp(eta) - Y * eta).mean()


@partial(jax.jit, static_argnames=("steps", "every", "report"))
def fit(Y, O, rate, steps, every, report):
    def step(b, i):
        value, slope = jax.value_and_grad(poisson_loss)(b, Y, O)
        lax.cond(
            i % every == 0,
            lambda: io_callback(report, None, i, value, ordered=True),
            lambda: None,
        )
        return b - rate * slope, value

    return lax.scan(step, jnp.zeros_like(Y[0]), jnp.arange(steps))


### END SOLUTION
### BEGIN STARTER
# def poisson_loss(b, Y, O):
#     eta = O + b
#     return (jnp.exp(eta) - Y * eta).mean()
#
#
# @partial(jax.jit, static_argnames=("steps", "every", "report"))
# def fit(Y, O, rate, steps, every, report):
#     def step(b, i):
#         value, slope = jax.value_and_grad(poisson_loss)(b, Y, O)
#         report(i, value)
#         return b - rate * slope, value
#
#     return lax.scan(step, jnp.zeros_like(Y[0]), jnp.arange(steps))
### END STARTER

# %% [markdown]
# Run the check as often as you like.

# %% check="progress_from_inside"
check("progress_from_inside")

# %% [markdown]
# Once it passes, watch a fit of the oaks. `report` can do anything: here it fills a list.

# %% tags=["demo"]
import matplotlib.pyplot as plt

reported = []
fit(Y, O - 6.0, 0.5, 500, 50, lambda i, value: reported.append((i, value)))
jax.effects_barrier()
if len(reported) > 1:
    plt.plot(*zip(*reported, strict=True), "o")
plt.xlabel("step")
plt.ylabel("loss")
plt.show()

# %% [markdown]
# ## What did it cost?
#
# A callback stops the program, hands the numbers to Python, and waits for it. **Predict before you
# run.** A scan makes 500 small steps. How many times as long does it take with a callback at each step?

# %% tags=["demo"]
predict("times as long, a callback at each step", ...)

# %% tags=["demo"]
from plnkit.machine import median_seconds


def grow(reports):
    def step(x, i):
        call = lambda: io_callback(lambda i: None, None, i, ordered=True)
        if reports == "each step":
            call()
        if reports == "every 100th":
            lax.cond(i % 100 == 0, call, lambda: None)
        return x + 0.1 * x * (1 - x), None

    return jax.jit(lambda x: lax.scan(step, x, jnp.arange(500))[0])


x, times = jnp.linspace(0.1, 0.9, 20_000), {}
for reports in ("none", "every 100th", "each step"):
    times[reports] = median_seconds(partial(grow(reports), x), 5)
    print(f"{reports:12} {1e3 * times[reports]:7.1f} ms")
ratio = times["each step"] / times["none"]
outcome("times as long, a callback at each step", round(ratio), within=0.5)

# %% [markdown]
# To take away:
#
# 1. Python runs while tracing; a callback runs while the program does.
# 2. `jax.debug.print` and `jax.debug.callback` are for looking, and JAX may move them. For a log use
#    `io_callback(..., ordered=True)`.
# 3. Each callback stops the program. Put it into a `lax.cond`, and report every hundredth step.
#
# The JAX documentation has more: [external
# callbacks](https://docs.jax.dev/en/latest/external-callbacks.html), and
# [debugging values](https://docs.jax.dev/en/latest/debugging/print_breakpoint.html).
