# %% [markdown]
# # One compiled step: data are arguments
#
# **One `jax.jit`, and the gradient of a whole model takes less than a tenth of the time.**
#
# **You will learn** to compile one whole step of a model's fit, gradient included; why its data must
# come in as arguments; and how to fill an array that cannot be changed. About 35 minutes.

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
from plnkit.course import best_Omega, elbo, optimizer, start

oaks = load_oaks()
counts, offsets, covariates = jnp.asarray(oaks.Y), jnp.asarray(oaks.O), jnp.asarray(oaks.X)

# %% tags=["demo"]
from plnkit.course import plot_progress
from plnkit.machine import median_seconds

arguments = *start(counts, offsets, covariates), counts, offsets, covariates
slow = jax.value_and_grad(elbo)
for name, function, runs in (("without jit", slow, 3), ("with jit", jax.jit(slow), 20)):
    jax.block_until_ready(function(*arguments))  # compiles
    seconds = median_seconds(lambda function=function: function(*arguments), runs)
    print(f"ELBO and gradient {name}: {1e3 * seconds:7.2f} ms")
plot_progress()

# %% [markdown]
# The figure shows three ways to fit the model, measured on another machine. In this lesson you write
# the second one.
#
# ## The model
#
# The oaks are 114 taxa (fungi and bacteria) counted at 116 sites, each an oak leaf. In the
# Poisson-lognormal (PLN) model, the count $Y_{ij}$ is Poisson with log-rate $O_{ij} + (X B)_{ij} +
# Z_{ij}$: offsets $O$, covariates $X$ with coefficients $B$, and a latent $Z_i \sim \mathcal{N}(0,
# \Sigma)$, whose covariance $\Sigma$ tells which taxa occur together. A fit maximizes the ELBO, a
# lower bound on the log-likelihood, in nats (the unit of natural logarithms). It takes each
# $Z_{ij}$, given the counts, as normal with mean $M_{ij}$ and standard deviation $S_{ij}$.
# `plnkit.course` has what we need:
#
#     params, Omega = start(Y, O, X)         # {"B": ..., "M": ..., "log_S": ...}, near the counts
#     elbo(params, Omega, Y, O, X)           # Omega is the inverse of Sigma
#     best_Omega(params)                     # the Omega with the highest ELBO for these parameters
#     state = optimizer.init(params)         # Adam, from the library optax
#     updates, state = optimizer.update(gradient, state, params)  # what to add to the parameters
#
# The parameters are a dictionary of arrays, which jit, gradients and optax take as one argument.
#
# ## See it fail
#
# It is handy to write a function that uses the data of the notebook. It even works, until there are
# other data: here, every second site.

# %%
Y, O, X = counts, offsets, covariates


@jax.jit
def quick_elbo(params, Omega):
    return elbo(params, Omega, Y, O, X)


# %% tags=["raises-exception"]
quick_elbo(*start(counts[::2], offsets[::2], covariates[::2]))

# %% [markdown]
# ```
# TypeError: add got incompatible shapes for broadcasting: (116, 114), (58, 114).
# ```
#
# ## Why
#
# `quick_elbo` *closes over* `Y`, `O` and `X`: it uses them, but they are not arguments. While tracing,
# jit finds their values, and writes them into the program as constants. If you get an error, you are
# lucky. With data of the same shape there is none.
#
# **Predict before you run.** `quick_elbo` is called, all counts are doubled, and it is called again.
# Which counts does the second ELBO belong to?

# %% tags=["demo"]
predict("the second ELBO is that of", ..., among=["the old counts", "the new counts"])

# %% tags=["demo"]
first = quick_elbo(*start(counts, offsets, covariates))
Y = 2 * counts
second = quick_elbo(*start(counts, offsets, covariates))
print("oaks:            ", first)
print("twice the counts:", second)
print("without jit:     ", elbo(*start(counts, offsets, covariates), Y, O, X))
outcome("the second ELBO is that of", "the old counts" if second == first else "the new counts")

# %% [markdown]
# Nothing warns you, so pass data as *arguments*. This costs nothing: `jax.value_and_grad(f)`, which
# computes `f` and its gradient together, differentiates with respect to the first argument only,
# unless `argnums` says otherwise.
#
# ## Your task: the step
#
# `step(params, Omega, state, Y, O, X)` returns the parameters after one step, the best Omega for them,
# the optimizer's new state, and the ELBO of the parameters that came in. It fails with the error above
# as soon as it meets data of another size. Repair it, and the `loss` that it uses, so that
#
# * all data, parameters and state come in through its arguments (the optimizer may stay outside);
# * it stays one jitted function, pure, compiled once for each shape.


# %% solution="jitted_step"
### BEGIN SOLUTION
def loss(params, Omega, Y, O, X):
    return -elbo(params, Omega, Y, O, X)


@jax.jit
def step(params, Omega, state, Y, O, X):
    value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
    updates, state = optimizer.update(gradient, state, params)
    params = optax.apply_updates(params, updates)
    return params, best_Omega(params), state, -value


### END SOLUTION
### BEGIN STARTER
# def loss(params, Omega):
#     return -elbo(params, Omega, counts, offsets, covariates)
#
#
# @jax.jit
# def step(params, Omega, state, Y, O, X):
#     value, gradient = jax.value_and_grad(loss)(params, Omega)
#     updates, state = optimizer.update(gradient, state, params)
#     params = optax.apply_updates(params, updates)
#     return params, best_Omega(params), state, -value
### END STARTER

# %% [markdown]
# Run the check as often as you like.

# %% check="jitted_step"
check("jitted_step")

# %% [markdown]
# ## Arrays do not change
#
# The loop around the step keeps the ELBO of each iteration. In NumPy you would make an array of zeros
# and fill it in:

# %% tags=["raises-exception"]
history = jnp.zeros(3)
history[0] = -1.5

# %% [markdown]
# ```
# TypeError: JAX arrays are immutable and do not support in-place item assignment. Instead of
# x[idx] = y, use x = x.at[idx].set(y) or another .at[] method
# ```
#
# `history.at[0].set(-1.5)` returns a *new* array, and leaves `history` as it was: give the new one a
# name. (JAX has arrays that change, too: `jax.new_ref(array)` makes a *ref*.) You *can* change a
# dictionary in place. But a fit that changes its caller's dictionary surprises everyone: the second
# fit then starts where the first one ended.
#
# ## Your task: the loop
#
# `fit` below does both: it assigns to an array, and changes its caller's dictionary. Repair it so
# that
#
# * it returns the fitted parameters and the ELBO *before* each iteration, as a JAX or NumPy array;
# * the caller's `params` is the same after the call as before;
# * a second call compiles nothing. The loop may stay in Python: the next lesson moves it into the
#   program.


# %% solution="jitted_step_fit"
### BEGIN SOLUTION
def fit(params, Y, O, X, n_iterations):
    Omega = best_Omega(params)
    state = optimizer.init(params)
    elbos = jnp.zeros(n_iterations)
    for i in range(n_iterations):
        params, Omega, state, value = step(params, Omega, state, Y, O, X)
        elbos = elbos.at[i].set(value)
    return params, elbos


### END SOLUTION
### BEGIN STARTER
# def fit(params, Y, O, X, n_iterations):
#     Omega = best_Omega(params)
#     state = optimizer.init(params)
#     elbos = jnp.zeros(n_iterations)
#     for i in range(n_iterations):
#         new, Omega, state, value = step(params, Omega, state, Y, O, X)
#         params.update(new)
#         elbos[i] = value
#     return params, elbos
### END STARTER

# %% check="jitted_step_fit"
check("jitted_step_fit")

# %% [markdown]
# Once both pass, fit the model to the oaks data.

# %% tags=["demo"]
import time

from IPython.display import display

try:
    params, _ = start(counts, offsets, covariates)
    began = time.perf_counter()
    fitted, elbos = jax.block_until_ready(fit(params, counts, offsets, covariates, 300))
    seconds = time.perf_counter() - began
    print(f"ELBO {elbos[-1]:.0f} nats after {seconds:.1f} s; the best there is: -32026")
    display(plot_progress("your step", seconds, elbos))
except TypeError:
    print("Repair step and fit first, then run this cell again.")

# %% [markdown]
# ## What did it cost?
#
# One compilation, and then each step is one program in place of dozens of small ones.
# (Within `with jax.disable_jit():`, jitted functions run without jit.)

# %% tags=["demo"]
params, Omega = start(counts, offsets, covariates)
arguments = params, Omega, optimizer.init(params), counts, offsets, covariates
try:
    anew = jax.jit(lambda *arguments: step(*arguments))  # a new function is compiled anew
    began = time.perf_counter()
    jax.block_until_ready(anew(*arguments))
    print(f"first call:  {1e3 * (time.perf_counter() - began):8.1f} ms, compilation included")
    print(f"jitted step: {1e3 * median_seconds(lambda: step(*arguments), 20):8.1f} ms")
    with jax.disable_jit():
        print(f"without jit: {1e3 * median_seconds(lambda: step(*arguments), 3):8.1f} ms")
except TypeError:
    print("Repair step first, then run this cell again.")

# %% [markdown]
# **Predict before you run.** Compiled once? The next cell calls a jitted function four times, each time
# with what it returned before. How many compilations are there if `x` begins as `jnp.full(3, 0.0)`?

# %% tags=["demo"]
predict("compilations of four calls", ...)


# %% tags=["demo"]
def compilations(x):
    traced = []

    @jax.jit
    def halve(x):
        traced.append(jax.typeof(x))  # a side effect: it happens only while tracing
        return x / 2 + jnp.ones(3)

    for _ in range(4):
        x = halve(x)
    return traced


print("zeros:", compilations(jnp.zeros(3)))
print("full: ", compilations(jnp.full(3, 0.0)))
outcome("compilations of four calls", len(compilations(jnp.full(3, 0.0))))

# %% [markdown]
# An array that takes its dtype from a Python number is **weakly typed**: its dtype yields to that
# of any other array. What comes back here is strongly typed, which counts as another type, so the
# second call compiles again.
#
# To take away:
#
# 1. What a jitted function reads from outside is frozen: data, parameters and state are arguments.
#    Only what never changes (the optimizer, a constant of the model) may come from outside.
# 2. jit the whole step, not its pieces: XLA can merge (*fuse*) only operations that it sees
#    together.
# 3. Start from `jnp.zeros`, `jnp.ones` or a given dtype: strong types, one compilation.
#
# The JAX documentation has more:
# [`jax.value_and_grad`](https://docs.jax.dev/en/latest/_autosummary/jax.value_and_grad.html), and
# [stateful computations](https://docs.jax.dev/en/latest/101/state.html), refs among them.

# %% [markdown]
# ## Drills
#
# Three small repairs of two minutes each. They are practice: checked, but without points.
#
# **1.** `fix_first_row(M, value)` returns `M` with `value` in all of its first row. It fails.


# %% solution="fix_first_row"
### BEGIN SOLUTION
@jax.jit
def fix_first_row(M, value):
    return M.at[0].set(value)


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def fix_first_row(M, value):
#     M[0] = value
#     return M
### END STARTER

# %% check="fix_first_row"
check("fix_first_row")

# %% [markdown]
# **2.** `slope_in_rate(counts, rate)` returns the derivative of the Poisson log-likelihood with
# respect to `rate`. It returns something else.


# %% solution="slope_in_rate"
### BEGIN SOLUTION
def poisson_loglik(counts, rate):
    return jnp.sum(counts * jnp.log(rate) - rate)


slope_in_rate = jax.jit(jax.grad(poisson_loglik, argnums=1))


### END SOLUTION
### BEGIN STARTER
# def poisson_loglik(counts, rate):
#     return jnp.sum(counts * jnp.log(rate) - rate)
#
#
# slope_in_rate = jax.jit(jax.grad(poisson_loglik))
### END STARTER

# %% check="slope_in_rate"
check("slope_in_rate")

# %% [markdown]
# **3.** `climb(params, gradient, rate)` returns the dictionary `params` after a step of `rate`
# along the gradient. It also changes the dictionary that it was given.


# %% solution="climb"
### BEGIN SOLUTION
@jax.jit
def climb(params, gradient, rate):
    return {name: params[name] + rate * gradient[name] for name in params}


### END SOLUTION
### BEGIN STARTER
# def climb(params, gradient, rate):
#     for name in params:
#         params[name] = step_along(params[name], gradient[name], rate)
#     return params
#
#
# @jax.jit
# def step_along(value, slope, rate):
#     return value + rate * slope
### END STARTER

# %% check="climb"
check("climb")
