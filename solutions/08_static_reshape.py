# %% [markdown]
# # Shapes are static: compute them outside the trace
#
# **You will learn** why a shape computed with `jax.numpy` breaks under `jit`, how to compute it so
# that it does not, and what a shape costs. About 15 minutes.
#
# Ecologists draw *rank-abundance curves*: all counts as shares of their total, sorted, largest first.
# For that, the table has to be flattened, and the flat shape is the number of its cells.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check, predict
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

import jax
import jax.numpy as jnp

from plnkit import load_oaks

counts = jnp.asarray(load_oaks().Y)
counts.shape

# %% [markdown]
# ## See it fail


# %%
@jax.jit
def first_half(x):
    return x[: jnp.array(x.shape)[0] // 2]


# %% tags=["raises-exception"]
first_half(counts)

# %% [markdown]
# ```
# IndexError: ... static ... Got slice(None, JitTracer(int32[]), None) at position 0
# ```
#
# (The words before `Got` differ between releases of JAX.) The end of the slice must be static, and
# it is a tracer.
#
# ## Why
#
# A compiled program is made for one shape: the size of every array in it must be known before it
# runs. `x.shape` *is* known, even while tracing: it is a tuple of plain Python integers. But
# `jnp.array(x.shape)` gives these integers to JAX, and under `jit` every array that `jax.numpy`
# makes is a tracer. The size was known, and is now hidden.
#
# So compute with shapes in plain Python or NumPy, which compute at once, while tracing. Compute with
# data in `jax.numpy`.
#
# **Predict before you run.** Which of the two prints shows a number?

# %% tags=["demo"]
predict("the print that shows a number", ...)


# %% tags=["demo"]
@jax.jit
def look(x):
    print("Python:   ", x.shape[0] // 2)
    print("jax.numpy:", jnp.array(x.shape)[0] // 2)
    return x[: x.shape[0] // 2]


look(counts).shape

# %% [markdown]
# ## A number is not a repair
#
# A size that you write as a number is right for one table only:

# %% tags=["raises-exception"]
jax.jit(lambda x: x.reshape(12))(counts)

# %% [markdown]
# ```
# TypeError: cannot reshape array of shape (116, 114) (size 13224) into shape 12 (size 12)
# ```
#
# ## Your task
#
# `rank_abundance(counts)` below fails with
#
# ```
# TypeError: Shapes must be 1D sequences of concrete values of integer type, got
# [JitTracer(int32[])].
# ```
#
# Repair it so that
#
# * it works for a table of any shape, with any number of axes;
# * it stays one jitted function, pure, compiled once for each shape.

# %% solution="static_reshape"
### BEGIN SOLUTION
import math


@jax.jit
def rank_abundance(counts):
    shares = counts / counts.sum()
    flat = shares.reshape(math.prod(counts.shape))
    return jnp.sort(flat, descending=True)


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def rank_abundance(counts):
#     shares = counts / counts.sum()
#     flat = shares.reshape(jnp.prod(jnp.array(counts.shape)))
#     return jnp.sort(flat, descending=True)
### END STARTER

# %% [markdown]
# Run the check as often as you like.

# %% check="static_reshape"
check("static_reshape")

# %% [markdown]
# Once it passes, draw the curve of the oaks: 3 % of the cells hold half of what was counted.

# %% tags=["demo"]
import matplotlib.pyplot as plt

try:
    plt.loglog(1 + jnp.arange(counts.size), rank_abundance(counts))
    plt.xlabel("rank")
    plt.ylabel("share of all counts")
except TypeError:
    print("Repair rank_abundance first, then run this cell again.")

# %% [markdown]
# ## What did it cost?
#
# At run time nothing: the size is a constant of the program. There are four common ways to write
# it: `x.size`, `math.prod(x.shape)`, `np.prod(x.shape)`, and `-1`, which `reshape` replaces by
# what is left.
#
# But the program is made for **one shape only**. A table with another number of rows is another
# compilation, as the next cell counts. When lengths vary a lot, pad the arrays to a few fixed
# lengths, as in lesson `recompile_hunt`.

# %% tags=["demo"]
traces = []


def count_traces(x):
    traces.append(x.shape)  # a side effect: it happens only while tracing, as we want here
    return x.sum()


jitted_count = jax.jit(count_traces)
for rows in (10, 10, 20, 30, 20):
    jitted_count(counts[:rows])
print(len(traces), "compilations for 5 calls:", traces)

# %% [markdown]
# The JAX documentation has more: [JAX errors](https://docs.jax.dev/en/latest/101/errors.html), and
# [`jnp.reshape`](https://docs.jax.dev/en/latest/_autosummary/jax.numpy.reshape.html).

# %% [markdown]
# ## Drills
#
# Three small repairs of two minutes each. They are practice: checked, but without points.
#
# **1.** `add_intercept(X)` puts a column of ones before the covariates. It fails.


# %% solution="add_intercept"
### BEGIN SOLUTION
@jax.jit
def add_intercept(X):
    return jnp.hstack([jnp.ones((X.shape[0], 1)), X])


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def add_intercept(X):
#     n = jnp.array(X.shape)[0]
#     return jnp.hstack([jnp.ones((n, 1)), X])
### END STARTER

# %% check="add_intercept"
check("add_intercept")

# %% [markdown]
# **2.** `block_means(x, width)` returns the mean of each block of `width` entries. `width` is a
# plain Python integer that divides the length of `x`. It fails.

# %% solution="block_means"
### BEGIN SOLUTION
block_means = jax.jit(lambda x, width: x.reshape(-1, width).mean(axis=1), static_argnums=1)


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def block_means(x, width):
#     return x.reshape(-1, width).mean(axis=1)
### END STARTER

# %% check="block_means"
check("block_means")

# %% [markdown]
# **3.** `make_grid(x, points)` returns `points` evenly spaced values, from the smallest value of
# `x` to the largest. `points` is a plain Python integer. It fails.

# %% solution="make_grid"
### BEGIN SOLUTION
make_grid = jax.jit(lambda x, points: jnp.linspace(x.min(), x.max(), points), static_argnums=1)


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def make_grid(x, points):
#     return jnp.linspace(x.min(), x.max(), points)
### END STARTER

# %% check="make_grid"
check("make_grid")

# %% [markdown]
# ## Stretch goal: under 1 MiB of scratch
#
# `site_variances(X, Sigma)` returns the variance of each site, the diagonal of `X @ Sigma @ X.T`.
# That matrix has a row and a column for each site: 9 MB for 1500 sites. With 4 covariates, write
# it with **less than 1 MiB of scratch memory**.


# %% solution="site_variances"
### BEGIN SOLUTION
@jax.jit
def site_variances(X, Sigma):
    return jnp.sum((X @ Sigma) * X, axis=1)


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def site_variances(X, Sigma):
#     return jnp.diag(X @ Sigma @ X.T)
### END STARTER

# %% check="site_variances"
check("site_variances")
