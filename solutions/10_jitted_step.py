# %% [markdown]
# # One compiled step: data are arguments
#
# **You will learn** to compile one whole step of a model's fit, gradient included; why its data must
# come in as arguments; and how to fill an array that cannot be changed. About 35 minutes.
#
# From here on we fit the Poisson-lognormal (PLN) model to the oaks: 114 taxa (fungi and bacteria)
# counted on 116 leaves. The count $Y_{ij}$ is Poisson with log-rate $O_{ij} + (X B)_{ij} +
# Z_{ij}$, where the latent $Z_i \sim \mathcal{N}(0, \Sigma)$ says which taxa occur together. We
# maximize the ELBO, a lower bound on the log-likelihood, in which each $Z_{ij}$ is normal with
# mean $M_{ij}$ and standard deviation $S_{ij}$. The optimizer comes from
# [optax](https://optax.readthedocs.io), a library of optimizers for JAX.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check, predict
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

import jax
import jax.numpy as jnp
import optax
from jax.scipy.special import gammaln

from plnkit import load_oaks

oaks = load_oaks()
counts, offsets, covariates = jnp.asarray(oaks.Y), jnp.asarray(oaks.O), jnp.asarray(oaks.X)
counts.shape

# %% [markdown]
# The whole model is one function. `Omega` is the inverse of $\Sigma$. We keep $\log S$, so that $S$
# is positive whatever the optimizer does.


# %%
def elbo(params, Omega, Y, O, X):
    n, p = Y.shape
    M, log_S = params["M"], params["log_S"]
    eta = O + X @ params["B"] + M
    S2 = jnp.exp(2 * log_S)
    entries = Y * eta - jnp.exp(eta + S2 / 2) + log_S - gammaln(Y + 1)
    R = M.T @ M + jnp.diag(S2.sum(axis=0))
    log_det = jnp.linalg.slogdet(Omega)[1]
    return entries.sum() + n / 2 * (p + log_det) - jnp.sum(R * Omega) / 2


def best_Omega(params):
    # """The Omega that maximizes the ELBO for given M and S."""
    S2 = jnp.exp(2 * params["log_S"])
    Sigma = (params["M"].T @ params["M"] + jnp.diag(S2.sum(axis=0))) / S2.shape[0]
    return jnp.linalg.inv(Sigma)


def zeros(Y, X):
    """Where a fit starts: B = 0, M = 0, S = 1."""
    (n, p), d = Y.shape, X.shape[1]
    return {"B": jnp.zeros((d, p)), "M": jnp.zeros((n, p)), "log_S": jnp.zeros((n, p))}


optimizer = optax.adam(0.2)

# %% [markdown]
# An optax optimizer has two functions. `state = optimizer.init(params)` makes its state, and
# `updates, state = optimizer.update(gradient, state, params)` says by how much to change each
# parameter. The parameters are a dictionary of arrays, which jit, gradients and optax handle as one
# argument.
#
# ## See it fail
#
# It is handy to write a function that uses the data of the notebook. It even works, until there are
# other data: here, every second leaf.

# %%
Y, O, X = counts, offsets, covariates


@jax.jit
def quick_elbo(params, Omega):
    return elbo(params, Omega, Y, O, X)


# %% tags=["raises-exception"]
quick_elbo(zeros(counts[::2], covariates[::2]), jnp.eye(114))

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
# **Predict before you run.** The second line below prints the ELBO after all counts were doubled. Is
# it that of the new counts, or that of the old ones?

# %% tags=["demo"]
predict("the counts that the second ELBO belongs to", ...)

# %% tags=["demo"]
print("oaks:            ", quick_elbo(zeros(counts, covariates), jnp.eye(114)))
Y = 2 * counts
print("twice the counts:", quick_elbo(zeros(counts, covariates), jnp.eye(114)))
print("without jit:     ", elbo(zeros(counts, covariates), jnp.eye(114), Y, O, X))

# %% [markdown]
# The second line is wrong, and nothing tells you. So data are *arguments*. This costs nothing:
# `jax.value_and_grad(f)`, which computes the value of `f` and its gradient together, differentiates
# with respect to the first argument only, unless `argnums` says otherwise.
#
# ## Your task: the step
#
# `step` below fails with the error above as soon as it meets data of another size. Repair it, and
# the `loss` that it uses, so that
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
# `history.at[0].set(-1.5)` returns a *new* array, and leaves `history` as it was: give the new
# one a name. (JAX has mutable arrays, too: `jax.new_ref(array)` makes a *ref*, and jit keeps
# track of what is written to it. A function that writes to its caller's ref has a side effect.)
#
# What holds for arrays should hold for containers. You *can* change a dictionary in place. But a
# function that changes its caller's dictionary surprises everyone: the second fit then starts where
# the first one ended.
#
# ## Your task: the loop
#
# `fit` below breaks both rules. Repair it so that
#
# * it returns the fitted parameters and the ELBO *before* each iteration, an array;
# * the caller's `params` is the same after the call as before;
# * a second call compiles nothing. The loop itself stays in Python. The next lesson moves it into
#   the program.


# %% solution="jitted_step_fit"
### BEGIN SOLUTION
def fit(params, Y, O, X, n_iterations):
    Omega = jnp.eye(Y.shape[1])
    state = optimizer.init(params)
    elbos = jnp.zeros(n_iterations)
    for i in range(n_iterations):
        params, Omega, state, value = step(params, Omega, state, Y, O, X)
        elbos = elbos.at[i].set(value)
    return params, elbos


### END SOLUTION
### BEGIN STARTER
# def fit(params, Y, O, X, n_iterations):
#     Omega = jnp.eye(Y.shape[1])
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
# Once both pass, fit the oaks. The ELBO starts far below its maximum, and the first steps gain most.

# %% tags=["demo"]
import matplotlib.pyplot as plt

try:
    fitted, elbos = fit(zeros(counts, covariates), counts, offsets, covariates, 30)
    plt.semilogy(-elbos)
    plt.xlabel("iteration")
    plt.ylabel("- ELBO (nats)")
except TypeError:
    print("Repair step and fit first, then run this cell again.")

# %% [markdown]
# ## What did it cost?
#
# One compilation, and then each step is a single program instead of about 150 small ones. The
# next cell takes steps with and without jit (`step.__wrapped__` is the function as you wrote it).

# %% tags=["demo"]
import time

from plnkit.machine import median_seconds

params = zeros(counts, covariates)
arguments = params, jnp.eye(114), optimizer.init(params), counts, offsets, covariates
try:
    anew = jax.jit(lambda *arguments: step.__wrapped__(*arguments))
    start = time.perf_counter()
    jax.block_until_ready(anew(*arguments))
    print(f"first call:     {1e3 * (time.perf_counter() - start):8.1f} ms, compilation included")
    print(f"jitted step:    {1e3 * median_seconds(lambda: step(*arguments), 20):8.1f} ms")
    print(
        f"without jit:    {1e3 * median_seconds(lambda: step.__wrapped__(*arguments), 3):8.1f} ms"
    )
except (TypeError, AttributeError):
    print("Repair step first, then run this cell again.")

# %% [markdown]
# Compiled once? Not always. An array that takes its dtype from a Python number, such as
# `jnp.full(shape, 0.0)`, is **weakly typed**: its dtype yields to that of any other array. What a
# step returns is strong as soon as it has met one strong array. The second step then has
# arguments of another type than the first one, and everything is compiled again:


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


for name, x in (("full", jnp.full(3, 0.0)), ("zeros", jnp.zeros(3))):
    found = compilations(x)
    print(f"{name:5}: {len(found)} compilations for 4 calls: {found}")

# %% [markdown]
# To take away:
#
# 1. What a jitted function reads from outside is frozen. Data, parameters and state are arguments.
#    Only what never changes (the optimizer, a constant of the model) may come from outside.
# 2. jit the whole step, not its pieces: XLA can fuse only what it sees together.
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

# %% [markdown]
# ## Stretch goal: under 256 KiB of scratch
#
# `pair_similarity(X)` adds up the squares of all entries of `X @ X.T`, which has a row and a
# column for each site. Write it with **less than 256 KiB of scratch memory**, for 1500 sites and
# 3 covariates. (The entries of `X.T @ X` have the same sum of squares.)


# %% solution="pair_similarity"
### BEGIN SOLUTION
@jax.jit
def pair_similarity(X):
    return jnp.sum((X.T @ X) ** 2)


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def pair_similarity(X):
#     return jnp.sum((X @ X.T) ** 2)
### END STARTER

# %% check="pair_similarity"
check("pair_similarity")
