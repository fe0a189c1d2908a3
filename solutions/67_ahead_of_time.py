# %% [markdown]
# # Ahead of time: compile now, run later
#
# **You will learn** to take `jit` apart into its stages (trace, lower, compile, run), to compile for
# shapes before there are data, to read what the compiler says about cost and memory, and to *use*
# what you compiled. About 25 minutes.
#
# The PLN tutorial compiles `jax.jit(fit)` ahead of time to learn how long that takes. Then it calls
# the plain `fit`, which knows nothing of that program, and everything is compiled again. You will
# do better.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check, predict
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

from functools import partial

import jax
import jax.numpy as jnp

from plnkit import load_oaks

oaks = load_oaks()
Y, O = jnp.asarray(oaks.Y), jnp.asarray(oaks.O)
Y.shape

# %% [markdown]
# ## See it fail
#
# A small function, lowered and compiled for one shape and for power 2. Then the compiled program
# is called.


# %%
@partial(jax.jit, static_argnames="power")
def power_sums(x, power):
    return jnp.sum(x**power, axis=0)


squares = power_sums.lower(Y, 2).compile()

# %% tags=["raises-exception"]
squares(Y, 2)

# %% [markdown]
# ```
# TypeError: Function compiled with input pytree does not match the input pytree it was called with.
# There are 1 mismatches, including:
#     * at args, seen tuple of length 1 but now given tuple of length 2, so the lengths do not match
# ```
#
# ## Why
#
# A call of a jitted function has four stages, and each has a method of its own:
#
# | stage | by hand | gives |
# | --- | --- | --- |
# | trace | `f.trace(*arguments)` | a jaxpr |
# | lower | `f.lower(*arguments)` (traces, too) | StableHLO, the compiler's input: `.as_text()` |
# | compile | `lowered.compile()` | a program: `.cost_analysis()`, `.memory_analysis()` |
# | run | `compiled(*arguments)` | results |
#
# The static value 2 was given when lowering. It is *in* the program now, so the compiled object takes
# the other arguments only: `squares(Y)`.
#
# Of arrays, lowering needs the shapes and dtypes only. `jax.ShapeDtypeStruct(shape, dtype)` has
# just these, and is as good as an array: you can make a program before the data have arrived.
#
# **Predict before you run.** `power_sums` was lowered and compiled for `Y` and power 2. Which of
# these calls compile something?

# %% tags=["demo"]
predict("the calls that compile something", ...)

# %% tags=["demo"]
from plnkit.compile_counts import compile_counts

few = Y[:10]
calls = {
    "power_sums(Y, 2)": lambda: power_sums(Y, 2),
    "power_sums(Y, power=2)": lambda: power_sums(Y, power=2),
    "power_sums(few, 2)": lambda: power_sums(few, 2),
    "squares(Y)": lambda: squares(Y),
    "squares(few)": lambda: squares(few),
}
for text, call in calls.items():
    with compile_counts() as counted:
        try:
            call()
            outcome = f"{counted['compilations']} compiled"
        except TypeError:
            outcome = "refused"
    print(f"{text:<24} {outcome}")

# %% [markdown]
# The first call finds what was compiled, because it is the same jitted function, called in the same
# way. Anything else compiles: a static argument by name, another shape, and also another `jax.jit`
# of a function that calls this one. A compiled object never compiles. It refuses.
#
# That is what ahead of time is for:
#
# * **No surprises.** No call traces or compiles by accident, in the middle of a measurement or in
#   production.
# * **It can be inspected before it runs**, and `.compile(compiler_options={...})` sets options of
#   the compiler for this one program.
# * **It can be shipped.** `jax.export` lowers a jitted function and turns the result into bytes,
#   which another process compiles and runs without your Python code
#   ([how](https://docs.jax.dev/en/latest/501/export.html)). This course's checks do that with
#   your functions.
#
# ## Your task: something to compile
#
# `poisson_fit(Y, O, steps)` fits one mean log abundance for each taxon with Newton's method. It is
# the model without latent variables, with which PLN fits begin. It returns the fitted means and the
# penalized log-likelihood after each step. It fails with
#
# ```
# TracerIntegerConversionError: The __index__() method was called on traced array with shape int32[]
# ```
#
# Repair it, so that it is one jitted function, pure, compiled once for each shape and number of
# steps, and takes no longer to compile for many steps than for few.


# %% solution="ahead_of_time"
### BEGIN SOLUTION
@partial(jax.jit, static_argnames="steps")
def poisson_fit(Y, O, steps):
    def newton(means, _):
        expected = jnp.exp(O + means)
        gradient = jnp.sum(Y - expected, axis=0) - means
        means = means + gradient / (jnp.sum(expected, axis=0) + 1)
        likelihood = jnp.sum(Y * (O + means) - jnp.exp(O + means)) - jnp.sum(means**2) / 2
        return means, likelihood

    start = jnp.log((jnp.sum(Y, axis=0) + 1) / jnp.sum(jnp.exp(O), axis=0)) + 1
    return jax.lax.scan(newton, start, length=steps)


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def poisson_fit(Y, O, steps):
#     means = jnp.log((jnp.sum(Y, axis=0) + 1) / jnp.sum(jnp.exp(O), axis=0)) + 1
#     likelihoods = []
#     for _ in range(steps):
#         expected = jnp.exp(O + means)
#         gradient = jnp.sum(Y - expected, axis=0) - means
#         means = means + gradient / (jnp.sum(expected, axis=0) + 1)
#         likelihood = jnp.sum(Y * (O + means) - jnp.exp(O + means)) - jnp.sum(means**2) / 2
#         likelihoods.append(likelihood)
#     return means, jnp.stack(likelihoods)
### END STARTER

# %% check="ahead_of_time"
check("ahead_of_time")

# %% [markdown]
# ## Your task: compile it, and use what you compiled
#
# `compile_fit(Y, O, steps)` below makes the tutorial's mistake, and another one. Repair it so that
#
# * it needs shapes only: `Y` and `O` may be `jax.ShapeDtypeStruct`, of float32;
# * what it returns is called as `fit(Y, O)`, with arrays of these shapes;
# * that call compiles nothing.


# %% solution="ahead_of_time_compiled"
### BEGIN SOLUTION
def compile_fit(Y, O, steps):
    return poisson_fit.lower(Y, O, steps).compile()


### END SOLUTION
### BEGIN STARTER
# def compile_fit(Y, O, steps):
#     Y, O = jnp.asarray(Y), jnp.asarray(O)
#
#     def fit(Y, O):
#         return poisson_fit(Y, O, steps)
#
#     jax.jit(fit).lower(Y, O).compile()
#     return fit
### END STARTER

# %% check="ahead_of_time_compiled"
check("ahead_of_time_compiled")

# %% [markdown]
# ## What did it cost?
#
# With the stages apart, each can be timed by itself. (The first two are timed once. Run the cell
# again, and both are almost 0: JAX has kept the program. The run is a median.)

# %% tags=["demo"]
import time

import matplotlib.pyplot as plt

from plnkit.machine import median_seconds

shapes = jax.ShapeDtypeStruct(Y.shape, Y.dtype)
seconds = {}
try:
    start = time.perf_counter()
    lowered = poisson_fit.lower(shapes, shapes, 20)
    seconds["trace and lower"] = time.perf_counter() - start

    start = time.perf_counter()
    compiled = lowered.compile()
    seconds["compile"] = time.perf_counter() - start

    seconds["run"] = median_seconds(lambda: compiled(Y, O), 15)
    left = 0.0
    for stage, length in seconds.items():
        plt.barh(0, 1e3 * length, left=left, label=f"{stage}: {1e3 * length:.1f} ms")
        left += 1e3 * length
    plt.gcf().set_size_inches(7, 1.5)
    plt.yticks([])
    plt.xlabel("milliseconds from shapes to the result")
    plt.legend(loc="upper center", bbox_to_anchor=(0.5, 1.5), ncols=3)
    plt.show()
except TypeError:
    print("Repair poisson_fit first, then run this cell again.")

# %% [markdown]
# The compiler also tells what the program will need, before it runs.

# %% tags=["demo"]
try:
    for steps in (20, 40):
        compiled = poisson_fit.lower(shapes, shapes, steps).compile()
        cost, memory = compiled.cost_analysis() or {}, compiled.memory_analysis()
        print(f"{steps} steps: {cost.get('flops', float('nan')):.0f} floating point operations")
    print("bytes of arguments, results, scratch:", end=" ")
    print(memory.argument_size_in_bytes, memory.output_size_in_bytes, memory.temp_size_in_bytes)
except TypeError:
    print("Repair poisson_fit first, then run this cell again.")

# %% [markdown]
# Twice the steps and the same number of operations? XLA counts the body of a loop **once**,
# however often it runs: multiply by the steps yourself. Exponentials and logarithms are counted
# apart, as `transcendentals`. The memory is right as it stands, because a loop uses its scratch
# space again at each step. Compare it with what your device has before you start.
#
# Compiling ahead of time costs a few lines, and a program object for each shape, which you have
# to keep and choose yourself. `jit` does that for you. Use `jit` everywhere else.
#
# The JAX documentation has more: [ahead-of-time lowering and
# compilation](https://docs.jax.dev/en/latest/201/aot.html).

# %% [markdown]
# ## Drills
#
# Three small repairs of two minutes each. They are practice: checked, but without points.
#
# **1.** `compile_totals(Y)` returns a program that is compiled for tables like `Y`. What it returns
# cannot be called.


# %% solution="compile_totals"
### BEGIN SOLUTION
@jax.jit
def totals(Y):
    return Y.sum(axis=0)


def compile_totals(Y):
    return totals.lower(Y).compile()


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def totals(Y):
#     return Y.sum(axis=0)
#
#
# def compile_totals(Y):
#     return totals.lower(Y)
### END STARTER

# %% check="compile_totals"
check("compile_totals")

# %% [markdown]
# **2.** `compiled` was made by `multiply.lower(Y, 7).compile()`, where the second argument, the
# factor, is static. `call_compiled(compiled, Y)` calls it. It fails.


# %% solution="call_compiled"
### BEGIN SOLUTION
def call_compiled(compiled, Y):
    return compiled(Y)


### END SOLUTION
### BEGIN STARTER
# def call_compiled(compiled, Y):
#     return compiled(Y, 7)
### END STARTER

# %% check="call_compiled"
check("call_compiled")

# %% [markdown]
# **3.** `compile_for_shape(n, p)` returns a program that is compiled for float32 tables of `n` rows
# and `p` columns, before there is any. Calling it fails.


# %% solution="compile_for_shape"
### BEGIN SOLUTION
@jax.jit
def log_counts(Y):
    return jnp.log1p(Y)


def compile_for_shape(n, p):
    return log_counts.lower(jax.ShapeDtypeStruct((n, p), jnp.float32)).compile()


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def log_counts(Y):
#     return jnp.log1p(Y)
#
#
# def compile_for_shape(n, p):
#     return log_counts.lower(jax.ShapeDtypeStruct((n, p), jnp.int32)).compile()
### END STARTER

# %% check="compile_for_shape"
check("compile_for_shape")
