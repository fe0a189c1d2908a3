# %% [markdown]
# # Shapes and sizes: decide them without the data
#
# **392 of 13,224 cells hold half of all counts. Under `jit`, the curve that shows it must have a
# known length.**
#
# **You will learn** why a shape that is computed with `jax.numpy` breaks under `jit`, why a boolean
# mask cannot select rows there, and how to write both with sizes that are known. About 40 minutes.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check, outcome, predict
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

from functools import partial

import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt
import numpy as np

from plnkit import load_oaks

oaks = load_oaks()
counts, tree = jnp.asarray(oaks.Y), oaks.leaves["tree"]
counts.shape

# %% tags=["demo"]
shares = np.sort((oaks.Y / oaks.Y.sum()).reshape(-1))[::-1]
half = int((np.cumsum(shares) < 0.5).sum()) + 1

plt.figure(figsize=(6, 2.5))
plt.loglog(1 + np.arange(shares.size), shares)
plt.axvspan(1, half, alpha=0.2)
plt.title(f"{half} of {shares.size} cells hold half of all counts")
plt.xlabel("rank")
plt.ylabel("share")

# %% [markdown]
# Ecologists call this a *rank-abundance curve*: all counts as shares of their total, the largest
# first. Each row of the table is a site (a leaf of an oak), each column a taxon (a species of fungi or
# bacteria). The cell above draws it with NumPy, without `jit`.
#
# ## See it fail


# %% tags=["raises-exception"]
@jax.jit
def first_half(x):
    return x[: jnp.array(x.shape)[0] // 2]


first_half(counts)

# %% [markdown]
# ```
# IndexError: ... static ... Got slice(None, JitTracer(int32[]), None) at position 0
# ```
#
# (The words before `Got` differ between releases of JAX.)
#
# ## Why
#
# A compiled program is made for one shape: the size of every array in it must be known before it
# runs. `x.shape` *is* known, even while tracing: it is a tuple of plain Python integers. But
# `jnp.array(x.shape)` gives these integers to JAX, and under `jit` every array that `jax.numpy`
# makes is a tracer. The size was known, and is now hidden.
#
# So compute with shapes in plain Python or NumPy, and with data in `jax.numpy`. (A size that you write
# as a number, `x.reshape(12)`, is right for one table only.)
#
# ## Your task
#
# ### First: a shape that is known
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
# * it works for a table of any shape: one axis or more, and at least one count above zero;
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

# %% check="static_reshape"
check("static_reshape")

# %% [markdown]
# There are four common ways to write it: `x.size`, `math.prod(x.shape)`, `np.prod(x.shape)`, and
# `-1`, which `reshape` replaces by the size that is left. All are constants of the program, and
# cost nothing.
#
# ### A size that the data decide
#
# The sites are leaves of three kinds of tree: susceptible to mildew, intermediate, or resistant.
# `tree == "susceptible"` is a **boolean mask**, True or False for each site. In NumPy, `counts[mask]`
# keeps the rows where it is True.


# %% tags=["raises-exception"]
@jax.jit
def total(counts, chosen):
    return counts[chosen].sum()


total(counts, tree == "susceptible")

# %% [markdown]
# ```
# NonConcreteBooleanIndexError: Array boolean indices must be concrete; got bool[116]
# ```
#
# How many rows `counts[chosen]` has depends on the *values* of the mask, and while `jit` traces, a
# mask has a shape and a dtype but no values. The same happens in `jnp.nonzero(x)`, `jnp.unique(x)`,
# `jnp.repeat(x, times)` with an array `times`, and `jnp.where(test)` with nothing but a test.
#
# The way out is always to *decide the size without the data*. Keep every row, and let those that are
# not chosen count for nothing. Or choose a length that is long enough, and fill up what is left over.
#
# **Predict before you run.** How many of these four selections run under `jit`?

# %% tags=["demo"]
predict("selections that run under jit", ...)

# %% tags=["demo"]
few, worked = jnp.array([3.0, 0.0, 7.0, 1.0]), 0
selections = {
    "x[x > 2]": lambda x: x[x > 2],
    "x[np.arange(4) > 1]": lambda x: x[np.arange(4) > 1],
    "x[jnp.arange(4) > 1]": lambda x: x[jnp.arange(4) > 1],
    "x[jnp.argsort(x)]": lambda x: x[jnp.argsort(x)],
}
for name, selection in selections.items():
    try:
        print(f"{name:22}", jax.jit(selection)(few))
        worked += 1
    except jax.errors.NonConcreteBooleanIndexError as error:
        print(f"{name:22}", type(error).__name__)
outcome("selections that run under jit", worked)

# %% [markdown]
# NumPy makes the second mask at once, while `jit` traces: its values are known. `jax.numpy` makes
# the third, which is a tracer. The last index holds integers, and its known length is that of the
# result.
#
# ### Second: the mean and the smallest count
#
# `summarize(counts, chosen)` should return two arrays with a number for each taxon: the mean and
# the smallest of its counts at the chosen sites. (A taxon whose smallest count is above zero lives
# on every one of them. Ecologists call it a *core taxon*.) It fails with the error above. Repair it
# so that
#
# * it works for a table of any size with at least one site and one taxon, and for any mask;
# * where no site is chosen, the mean and the smallest count are 0;
# * it stays one jitted function, pure, compiled once for each shape: one program serves all masks.


# %% solution="data_sizes"
### BEGIN SOLUTION
@jax.jit
def summarize(counts, chosen):
    rows = chosen[:, None]
    n = chosen.sum()
    mean = jnp.where(rows, counts, 0).sum(axis=0) / jnp.maximum(n, 1)
    smallest = jnp.min(counts, axis=0, where=rows, initial=jnp.inf)
    return mean, jnp.where(n > 0, smallest, 0)


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def summarize(counts, chosen):
#     selected = counts[chosen]
#     return selected.mean(axis=0), selected.min(axis=0)
### END STARTER

# %% check="data_sizes"
check("data_sizes")

# %% [markdown]
# ### Third: the taxa at one site
#
# `seen_taxa(counts, size)` gets the counts of one site, and should say which taxa were seen there,
# that is, have a count above zero. Nobody knows how many there are before the program runs. So the
# caller says how many there is room for: `size`, which is static and at least 1. Repair it so that
#
# * it returns two things: the indices of the seen taxa, and how many taxa were seen;
# * the indices are an array of length `size`, in increasing order. If more taxa were seen, it holds
#   the first of them. If fewer were seen, the places that are left over hold -1 (`size` may even be
#   larger than the number of taxa);
# * the number counts *all* seen taxa, so that the caller notices when `size` was too small;
# * it stays one jitted function, pure, compiled once for each shape and `size`.
#
# `jnp.nonzero` has [two options](https://docs.jax.dev/en/latest/_autosummary/jax.numpy.nonzero.html)
# for this.


# %% solution="data_sizes_seen"
### BEGIN SOLUTION
@partial(jax.jit, static_argnames="size")
def seen_taxa(counts, size):
    seen = counts > 0
    indices = jnp.nonzero(seen, size=size, fill_value=-1)[0]
    return indices, seen.sum()


### END SOLUTION
### BEGIN STARTER
# @partial(jax.jit, static_argnames="size")
# def seen_taxa(counts, size):
#     indices = jnp.nonzero(counts > 0)[0]
#     return indices[:size], len(indices)
### END STARTER

# %% check="data_sizes_seen"
check("data_sizes_seen")

# %% [markdown]
# ## What did it cost?
#
# A masked sum reads every row, chosen or not. For one mask, that is nearly always cheaper than the
# other way out: select with NumPy, *outside* of `jit`, and compile a program for each number of rows.

# %% tags=["demo"]
traces = []


def mean_count(rows):
    traces.append(rows.shape)  # a side effect: it happens only while tracing, as we want here
    return rows.mean(axis=0)


jitted_mean = jax.jit(mean_count)
for kind in np.unique(tree):
    jitted_mean(oaks.Y[tree == kind])
print(len(traces), "compilations for 3 masks:", traces)

# %% [markdown]
# To take away:
#
# 1. Ask of each array under `jit`: what decides its length? If a shape does, compute it in Python.
#    If the data do, mask, or choose a `size` and fill up.
# 2. Ask of each summary: what does it return for an empty selection? The sum of nothing is 0, the
#    mean is NaN, and the minimum is an error, or whatever you start from.
# 3. Where you choose a `size`, return the true number too. What does not fit is dropped silently.
# 4. JAX raises no IndexError for an index that is out of range: `x[i]` reads some entry of `x`. A
#    fill value of -1 reads the last one. Say what such indices should give, with `jnp.where`.
#
# The JAX documentation has more: [JAX errors](https://docs.jax.dev/en/latest/101/errors.html), and
# [`jnp.reshape`](https://docs.jax.dev/en/latest/_autosummary/jax.numpy.reshape.html).

# %% [markdown]
# ## Drills
#
# Two small repairs of two minutes each. They are practice: checked, but without points. Each function
# must stay jitted.
#
# **1.** `block_means(x, width)` returns the mean of each block of `width` entries. `width` is a
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
# **2.** `list_groups(group, size)` returns the `size` smallest distinct numbers in `group`, in
# increasing order. If there are fewer, -1 fills up the places that are left over. `size` is a plain
# Python integer. It fails.


# %% solution="list_groups"
### BEGIN SOLUTION
@partial(jax.jit, static_argnames="size")
def list_groups(group, size):
    return jnp.unique(group, size=size, fill_value=-1)


### END SOLUTION
### BEGIN STARTER
# @partial(jax.jit, static_argnames="size")
# def list_groups(group, size):
#     return jnp.unique(group)[:size]
### END STARTER

# %% check="list_groups"
check("list_groups")

# %% [markdown]
# ## Stretch goal: a program that does not grow
#
# `group_means(counts, group, n_groups)` returns the mean count of each taxon in each group of sites,
# an array of `n_groups` rows. `group` holds the number of each site's group, from 0 to
# `n_groups - 1`, in any order. `n_groups` is static. It fails. With masks in a Python loop, the
# program would grow with the number of groups, of which there may be hundreds. Write it **without a
# loop**, by a *segment sum* of [`jax.ops`](https://docs.jax.dev/en/latest/jax.ops.html), for example.
# The row of a group without sites is 0.


# %% solution="group_means"
### BEGIN SOLUTION
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    totals = jax.ops.segment_sum(counts, group, num_segments=n_groups)
    sites = jnp.bincount(group, length=n_groups)
    return totals / jnp.maximum(sites, 1)[:, None]


### END SOLUTION
### BEGIN STARTER
# @partial(jax.jit, static_argnames="n_groups")
# def group_means(counts, group, n_groups):
#     means = [counts[group == k].mean(axis=0) for k in range(n_groups)]
#     return jnp.stack(means)
### END STARTER

# %% check="group_means"
check("group_means")
