# %% [markdown]
# # Ahead of time: compile now, run later
#
# **You will learn** to take `jit` apart into its stages (trace, lower, compile, run), to compile for
# shapes before there are data, to read what the compiler says about cost and memory, and to *use*
# what you compiled. About 25 minutes.
#
# The PLN tutorial compiles its fit ahead of time to learn how long that takes, then calls the
# function as before, which compiles it all over again. You will do better.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check
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
# A small function, lowered and compiled for one shape and for power 2. Then it is called.


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
# ```
#
# ## Why
#
# A call of a jitted function does four things; each has a method of its own:
#
# | stage | by hand | gives |
# | --- | --- | --- |
# | trace | `f.trace(*arguments)` | a jaxpr |
# | lower | `f.lower(*arguments)` | StableHLO, the compiler's input: `.as_text()` |
# | compile | `lowered.compile()` | a program: `.cost_analysis()`, `.memory_analysis()` |
# | run | `compiled(*arguments)` | results |
#
# The static value 2 was given when lowering. It is *in* the program now, so the compiled object takes
# the other arguments only: `squares(Y)`.
#
# Lowering looks at shapes and dtypes. `jax.ShapeDtypeStruct(shape, dtype)` has nothing else, and is
# as good as an array: a program can be made before the data have arrived.
#
# **Predict before you run.** What do the two functions do with a table of 10 rows?

# %% tags=["demo"]
for name, function in {"jitted": partial(power_sums, power=2), "compiled": squares}.items():
    try:
        print(f"{name}: result of shape {function(Y[:10]).shape}")
    except TypeError as error:
        print(f"{name}: {str(error).splitlines()[-1]}")

# %% [markdown]
# A jitted function compiles whatever comes along. A compiled object refuses: no surprise can cost
# you a compilation in the middle of a measurement, or in production.
#
# ## Your task: something to compile
#
# `poisson_fit(Y, O, steps)` fits one mean log abundance a taxon with Newton's method: the model
# without latent variables, where PLN fits begin. It returns the fitted means and the penalized
# log-likelihood at each step. It fails with
#
# ```
# ConcretizationTypeError: Abstract tracer value encountered where concrete value is expected
# ```
#
# Repair it, so that it is one jitted function, pure, compiled once for each shape and number of
# steps, and no longer to compile for many steps than for few.


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
#     def newton(means, _):
#         expected = jnp.exp(O + means)
#         gradient = jnp.sum(Y - expected, axis=0) - means
#         means = means + gradient / (jnp.sum(expected, axis=0) + 1)
#         likelihood = jnp.sum(Y * (O + means) - jnp.exp(O + means)) - jnp.sum(means**2) / 2
#         return means, likelihood
#
#     start = jnp.log((jnp.sum(Y, axis=0) + 1) / jnp.sum(jnp.exp(O), axis=0)) + 1
#     return jax.lax.scan(newton, start, length=steps)
### END STARTER

# %% check="ahead_of_time"
check("ahead_of_time")

# %% [markdown]
# ## Your task: compile it, and use what you compiled
#
# `compile_fit(Y, O, steps)` below does what the tutorial does. Repair it so that
#
# * it returns the compiled object, to be called as `fit(Y, O)`;
# * that call compiles nothing;
# * `compile_fit` needs shapes only: `Y` and `O` may be `jax.ShapeDtypeStruct`.


# %% solution="ahead_of_time_compiled"
### BEGIN SOLUTION
def compile_fit(Y, O, steps):
    return poisson_fit.lower(Y, O, steps).compile()


### END SOLUTION
### BEGIN STARTER
# def compile_fit(Y, O, steps):
#     lowered = poisson_fit.lower(Y, O, steps)
#     lowered.compile()
#     return poisson_fit
### END STARTER

# %% check="ahead_of_time_compiled"
check("ahead_of_time_compiled")

# %% [markdown]
# ## What did it cost?
#
# With the stages apart, each can be timed by itself.

# %% tags=["demo"]
import time

import matplotlib.pyplot as plt

seconds = {}


def timed(stage, function, *arguments):
    start = time.perf_counter()
    result = function(*arguments)
    if stage == "run":
        jax.block_until_ready(result)
    seconds[stage] = time.perf_counter() - start
    return result


shapes = jax.ShapeDtypeStruct(Y.shape, Y.dtype)
try:
    lowered = timed("trace and lower", poisson_fit.lower, shapes, shapes, 20)
    compiled = timed("compile", lowered.compile)
    timed("run", compiled, Y, O)

    left = 0.0
    for stage, length in seconds.items():
        plt.barh(0, 1e3 * length, left=left, label=f"{stage}: {1e3 * length:.1f} ms")
        left += 1e3 * length
    plt.gcf().set_size_inches(7, 1.5)
    plt.yticks([])
    plt.xlabel("milliseconds from shapes to the result")
    plt.legend(loc="upper center", bbox_to_anchor=(0.5, 1.5), ncols=3)
    plt.show()
except jax.errors.ConcretizationTypeError:
    print("Repair poisson_fit first, then run this cell again.")

# %% [markdown]
# And the compiler tells what the program will need, before it runs.

# %% tags=["demo"]
try:
    for steps in (20, 40):
        compiled = poisson_fit.lower(shapes, shapes, steps).compile()
        cost, memory = compiled.cost_analysis() or {}, compiled.memory_analysis()
        print(f"{steps} steps: {cost.get('flops', float('nan')):.0f} floating point operations")
    print("bytes of arguments, results, scratch:", end=" ")
    print(memory.argument_size_in_bytes, memory.output_size_in_bytes, memory.temp_size_in_bytes)
except jax.errors.ConcretizationTypeError:
    print("Repair poisson_fit first, then run this cell again.")

# %% [markdown]
# Twice the steps and the same number of operations? XLA counts the body of a loop **once**, however
# often it runs: multiply by the steps yourself. The memory is right as it stands: a loop uses its
# scratch space again at each turn. Compare it with what your device has before you start.
#
# Ahead of time is for measurements, for programs whose first call must be fast, and for finding out
# what fits into memory. Everywhere else `jit` does the same with less to write.
