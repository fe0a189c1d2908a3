# %% [markdown]
# # Capstone: a NumPy class becomes one program
#
# **One NumPy class, rewritten as one jitted function: the same fit, more than 50 times as fast.**
#
# **You will learn** to turn everyday code, with settings, missing values, an early stop, random
# numbers and a history, into one pure program. About 60 minutes.

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
import numpy as np
from jax import lax

from plnkit import load_oaks

oaks = load_oaks("tree")
offsets, covariates = oaks.O, oaks.X
mask = np.random.default_rng(1).uniform(size=oaks.Y.shape) < 0.9
counts = np.where(mask, oaks.Y, np.nan).astype(np.float32)  # a tenth is missing
counts.shape, covariates.shape


# %%
class PoissonRegression:
    """Counts with the mean exp(O + X B), fitted until the held-out counts fit no better.

    Y, O and mask are (n, p): counts, their offsets, and True where a count is not missing.
    X is (n, d): covariates. A quarter of the counts is held out: it only measures the fit.
    """

    def __init__(self, ridge=1.0, tolerance=0.01, n_iterations=500, verbose=False):
        self.ridge = ridge
        self.tolerance = tolerance
        self.n_iterations = n_iterations
        self.verbose = verbose
        self.rng = np.random.default_rng()
        self.history = []

    def fit(self, Y, O, X, mask):
        self.Y, self.O, self.X = Y, O, X
        held = self.rng.uniform(size=Y.shape) < 0.25
        self.fitted, self.held_out = mask & ~held, mask & held
        self.B = 0.1 * self.rng.normal(size=(X.shape[1], Y.shape[1]))
        for i in range(self.n_iterations):
            self.step()
            self.history.append(self.loss())
            if self.verbose and i % 10 == 0:
                print(f"iteration {i}: loss {self.history[-1]:.3f}")
            if self.has_settled():
                break
        return self

    def step(self):
        """Move each coefficient by half of slope / curvature, and by 1 at most."""
        for j in range(self.Y.shape[1]):
            rows = self.fitted[:, j]
            X, B = self.X[rows], self.B[:, j]
            expected = np.exp(self.O[rows, j] + X @ B)
            slope = X.T @ (self.Y[rows, j] - expected) - self.ridge * B
            curvature = (X**2).T @ expected + self.ridge
            self.B[:, j] += np.clip(0.5 * slope / curvature, -1, 1)

    def loss(self):
        """Return the mean Poisson loss of the held-out counts, without their log-factorials."""
        total = 0.0
        for j in range(self.Y.shape[1]):
            rows = self.held_out[:, j]
            eta = self.O[rows, j] + self.X[rows] @ self.B[:, j]
            total += np.sum(np.exp(eta) - self.Y[rows, j] * eta)
        return total / np.sum(self.held_out)

    def has_settled(self):
        if len(self.history) < 2:
            return False
        return self.history[-2] - self.history[-1] < self.tolerance


# %% tags=["demo"]
began = time.perf_counter()
model = PoissonRegression().fit(counts, offsets, covariates, mask)
class_seconds = (time.perf_counter() - began) / len(model.history)
print(f"{len(model.history)} iterations, {1e3 * class_seconds:.1f} ms each")

# %% [markdown]
# The rows of the table are sites (oak leaves), the columns taxa. This is real work for NumPy: two loops
# over 114 taxa in each iteration, since each taxon has different counts missing.
#
# ## See it fail

# %% tags=["raises-exception"]
jax.jit(PoissonRegression().fit)(counts, offsets, covariates, mask)

# %% [markdown]
# ```
# NonConcreteBooleanIndexError: Array boolean indices must be concrete; got bool[116]
# ```
#
# ## Why
#
# jit stops at the first line that it cannot record. If you repair that, it stops at the next. Worse
# are the lines at which it does not stop: they run once, while tracing, and then never again. And
# one fault of this class has nothing to do with jit.
#
# **Predict before you run.** The next cell fits the same model again. After how many iterations does
# the second fit stop?

# %% tags=["demo"]
predict("iterations of the second fit", ...)

# %% tags=["demo"]
first = len(model.history)
model.fit(counts, offsets, covariates, mask)
outcome("iterations of the second fit", len(model.history) - first)

# %% [markdown]
# The new fit found the old history. Its first loss was higher than the last one there, so it
# stopped, with coefficients that are hardly fitted. The cause is state that outlives a call, and no
# error points at it.
#
# The settings become arguments. `n_iterations` must be static, because the history has a fixed length
# under jit. `tolerance` and `ridge` need not be.
#
# **Predict before you run.** How many programs are compiled for three tolerances, each with two
# limits `n_iterations`?

# %% tags=["demo"]
predict("programs for three tolerances and two limits", ...)

# %% tags=["demo"]
traces = []


@partial(jax.jit, static_argnames="n_iterations")
def make_history(tolerance, n_iterations):
    traces.append(n_iterations)  # a side effect: it happens only while tracing, as we want here
    return jnp.full(n_iterations, tolerance)


for tolerance in (0.1, 0.01, 0.001):
    for n_iterations in (100, 500):
        make_history(tolerance, n_iterations)
outcome("programs for three tolerances and two limits", len(traces))

# %% [markdown]
# ## Your task
#
# Write `fit(Y, O, X, mask, key, ridge, tolerance, n_iterations)`. It does what the `fit` of a new
# `PoissonRegression(ridge, tolerance, n_iterations)` does, with these differences:
#
# * It returns `B, history, iterations`. `history` is an array of `n_iterations` losses, with zeros
#   after the last iteration that was made, and `iterations`, an integer, is how many were made.
# * Its random numbers come from `key`. With `key_B, key_held = jax.random.split(key)`, `B` begins
#   as `0.1 * jax.random.normal(key_B, (d, p))`, and a count is held out where both
#   `jax.random.bernoulli(key_held, 0.25, (n, p))` and `mask` are True.
# * It stops when the class does: from the second iteration on, as soon as an iteration lowers the
#   loss by less than `tolerance`, and after `n_iterations` (1 or more) in any case. A negative
#   tolerance allows the loss to rise a little.
# * `Y` may hold anything where `mask` is False. Here it holds NaN.
# * It is one jitted function. Only `n_iterations` is static: no new program for another key, ridge or
#   tolerance, or for other data of the same shape. The program does not grow with `n_iterations`.
# * It is pure: it changes nothing, keeps nothing, and prints nothing, not even by a callback.
#
# After it has stopped, it may go on computing as long as its results do not change. You need no
# GPU. If one times your program, an iteration may take up to three times as long as in the lesson's
# solution. On a CPU, the times are only shown.


# %% solution="capstone"
### BEGIN SOLUTION
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    key_B, key_held = jax.random.split(key)
    held = jax.random.bernoulli(key_held, 0.25, Y.shape)
    fitted, held_out = mask & ~held, mask & held
    Y = jnp.where(mask, Y, 0.0)  # NaN times zero is NaN

    def step(B):
        expected = jnp.where(fitted, jnp.exp(O + X @ B), 0.0)
        slope = X.T @ (jnp.where(fitted, Y, 0.0) - expected) - ridge * B
        curvature = (X**2).T @ expected + ridge
        return B + jnp.clip(0.5 * slope / curvature, -1, 1)

    def loss(B):
        eta = O + X @ B
        return jnp.sum(jnp.where(held_out, jnp.exp(eta) - Y * eta, 0.0)) / jnp.sum(held_out)

    def go_on(state):
        _, _, iterations, fall = state
        return (iterations < n_iterations) & (fall >= tolerance)

    def iterate(state):
        B, history, i, _ = state
        B = step(B)
        new = loss(B)
        fall = jnp.where(i > 0, history[i - 1] - new, jnp.inf)
        return B, history.at[i].set(new), i + 1, fall

    B = 0.1 * jax.random.normal(key_B, (X.shape[1], Y.shape[1]))
    state = B, jnp.zeros(n_iterations), 0, jnp.inf
    B, history, iterations, _ = lax.while_loop(go_on, iterate, state)
    return B, history, iterations


### END SOLUTION
### BEGIN STARTER
# @partial(jax.jit, static_argnames="n_iterations")
# def fit(Y, O, X, mask, key, ridge, tolerance, n_iterations):
#     model = PoissonRegression(ridge, tolerance, n_iterations, verbose=True)
#     model.fit(Y, O, X, mask)
#     return model.B, model.history, len(model.history)
### END STARTER

# %% [markdown]
# Run the check as often as you like. It tells you about one fault at a time, as jit does.

# %% check="capstone"
check("capstone")

# %% [markdown]
# ## What did it cost?
#
# One compilation for each shape and each `n_iterations`. After that, each iteration computes on the
# whole masked table, without Python loops over taxa.

# %% tags=["demo"]
from plnkit.machine import median_seconds

arguments = counts, offsets, covariates, mask, jax.random.key(0), 1.0, 0.01, 500
try:
    B, history, iterations = fit(*arguments)
    seconds = median_seconds(lambda: fit(*arguments), 15) / int(iterations)
    print(f"the class:    {1e3 * class_seconds:6.2f} ms an iteration")
    print(f"your program: {1e3 * seconds:6.2f} ms, {class_seconds / seconds:.0f} times as fast")
except jax.errors.JAXIndexError:
    print("Write fit first, then run this cell again.")

# %% [markdown]
# The fit was hard to repeat. Now its randomness is an argument, and `vmap` maps over it: 50 fits with
# 50 held-out sets, in one program. How much does the loss depend on which counts are held out?

# %% tags=["demo"]
import matplotlib.pyplot as plt

keys = jax.random.split(jax.random.key(1), 50)
in_axes = (None, None, None, None, 0, None, None)
try:
    fits = jax.vmap(lambda *traced: fit(*traced, 500), in_axes)
    _, histories, stops = fits(*arguments[:4], keys, 1.0, 0.01)
    for losses, stop in zip(np.asarray(histories), np.asarray(stops), strict=True):
        plt.plot(losses[:stop], color="tab:blue", alpha=0.3)
    plt.xlabel("iteration")
    plt.ylabel("loss of the held-out counts")
    plt.ylim(top=100)
except jax.errors.JAXIndexError:
    print("Write fit first, then run this cell again.")

# %% [markdown]
# **To take away.** What a class keeps on `self` goes in as an argument or comes out as a result. A
# choice of entries becomes a mask, a growing list an array of fixed length, a `break` a condition
# of the loop. Here, only what sets a shape is static.
#
# The JAX documentation has more: [stateful computations](https://docs.jax.dev/en/latest/101/state.html),
# and [control flow](https://docs.jax.dev/en/latest/201/control-flow.html).
#
# ## In your own words

# %% [markdown] question="why" points=3
# Suppose that somebody repairs only those lines of the class at which jit stops with an error.
# Name three other lines that would still behave differently under jit, and say how.
#
# ### BEGIN SOLUTION
# **Model answer.** Any three: `self.rng.uniform` and `self.rng.normal` are drawn once, while
# tracing, and are constants of the program, so each call holds out the same counts;
# `self.history.append` gets tracers, once for each trace, and nothing in later calls; `print` runs
# while tracing only, and shows tracers; `self.ridge`, `self.tolerance` and the other settings are
# read while tracing, so later changes are ignored; `self.B = ...` leaves a tracer on the model.
#
# **Grading.** 1 point for each line with what it does under jit; half a point for a line alone.
# ### END SOLUTION
# ### BEGIN STARTER
# *Write your answer here.*
# ### END STARTER
