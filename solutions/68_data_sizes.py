# %% [markdown]
# # Boolean masks: a size that depends on the data
#
# **You will learn** why a boolean mask cannot select rows under `jit`, how to write the same summary
# with sizes that are known, and what to return when nothing is selected. About 30 minutes.
#
# The oaks of this course are counts of 114 taxa (species of fungi and bacteria) on 116 leaves. The
# leaves come from three kinds of tree: susceptible to mildew, intermediate, or resistant. So most
# questions begin with "only the leaves that" or "only the taxa that".

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check, predict
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from plnkit import load_oaks

oaks = load_oaks()
counts, tree = jnp.asarray(oaks.Y), oaks.leaves["tree"]
for kind in np.unique(tree):
    print(f"{kind:12} {(tree == kind).sum()} leaves")

# %% [markdown]
# ## See it fail
#
# `tree == "susceptible"` is a **boolean mask**: an array with True or False for each leaf. In NumPy,
# `counts[mask]` keeps the rows where it is True.


# %%
@jax.jit
def total(counts, chosen):
    return counts[chosen].sum()


# %% tags=["raises-exception"]
total(counts, tree == "susceptible")

# %% [markdown]
# ```
# NonConcreteBooleanIndexError: Array boolean indices must be concrete; got bool[116]
# ```
#
# ## Why
#
# A program is compiled for arrays whose sizes are known. How many rows `counts[chosen]` has depends
# on the *values* of the mask: 39 for the susceptible trees, 38 for the intermediate ones. While `jit`
# traces, `chosen` has a shape and a dtype, and no values.
#
# The same happens wherever the values decide how long a result is: `jnp.nonzero(x)`,
# `jnp.unique(x)`, `jnp.repeat(x, times)` with an array `times`, and `jnp.where(test)` with
# nothing but a test.
#
# The way out is always the same: *decide the size without the data*. Keep every row, and let
# those that are not chosen count for nothing. Or choose a length that is long enough, and pad the
# rest.
#
# **Predict before you run.** Which of these four run under `jit`?

# %% tags=["demo"]
predict("the selections that run under `jit`", ...)

# %% tags=["demo"]
few = jnp.array([3.0, 0.0, 7.0, 1.0])
selections = {
    "x[x > 2]": lambda x: x[x > 2],
    "x[np.arange(4) > 1]": lambda x: x[np.arange(4) > 1],
    "x[jnp.arange(4) > 1]": lambda x: x[jnp.arange(4) > 1],
    "x[jnp.argsort(x)]": lambda x: x[jnp.argsort(x)],
}
for name, selection in selections.items():
    try:
        print(f"{name:22}", jax.jit(selection)(few))
    except jax.errors.NonConcreteBooleanIndexError as error:
        print(f"{name:22}", type(error).__name__)

# %% [markdown]
# The second mask comes from NumPy, which computes at once, while `jit` traces: its values are
# known. The third has the same values, but under `jit` every array that `jax.numpy` makes is a
# tracer. The last index holds integers. What they select is as long as the index itself, and that
# length is known.
#
# ## Your task
#
# ### First: the mean and the smallest count
#
# `summarize(counts, chosen)` should return two arrays with a number for each taxon: the mean and the
# smallest of its counts, on the chosen leaves. (A taxon whose smallest count is above zero lives on
# every one of them. Ecologists call it a *core taxon*.) It fails with the error above. Repair it so
# that
#
# * it works for a table of any size, and for any mask;
# * where no leaf is chosen, the mean and the smallest count are 0;
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

# %% [markdown]
# Run the check as often as you like.

# %% check="data_sizes"
check("data_sizes")

# %% [markdown]
# Once it passes: the core taxa of each kind of tree, and of a kind that the oaks do not have.

# %% tags=["demo"]
try:
    for kind in (*np.unique(tree), "unknown"):
        mean, smallest = summarize(counts, tree == kind)
        core = int((smallest > 0).sum())
        print(f"{kind:12} mean count {float(mean.mean()):5.1f}, {core} core taxa")
except jax.errors.NonConcreteBooleanIndexError:
    print("Repair summarize first, then run this cell again.")

# %% [markdown]
# ### Second: the taxa on one leaf
#
# `seen_taxa(counts, size)` gets the counts of one leaf, and should say which taxa were seen there,
# that is, have a count above zero. Nobody knows how many there are before the program runs. So the
# caller says how many there is room for: `size`, which is static. Repair it so that
#
# * it returns two things: the indices of the seen taxa, and how many taxa were seen;
# * the indices are an array of length `size`, in increasing order. If more taxa were seen, it holds
#   the first of them. If fewer were seen, -1 stands in the places that are left over, and `size` may
#   even be larger than the number of taxa;
# * the number counts *all* seen taxa, so that the caller notices when `size` was too small;
# * it stays one jitted function, pure, compiled once for each shape and `size`.


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

# %% tags=["demo"]
try:
    indices, number = seen_taxa(counts[0], 5)
    print(f"{number} taxa on leaf 0. The first are:")
    print([oaks.taxa[i] for i in indices if i >= 0])
except jax.errors.ConcretizationTypeError:
    print("Repair seen_taxa first, then run this cell again.")

# %% [markdown]
# ### Third: the means of many groups
#
# `group_means(counts, group, n_groups)` should return the mean count of each taxon in each group of
# leaves, an array of `n_groups` rows. `group` holds the number of each leaf's group, from 0 to
# `n_groups - 1`, in any order. `n_groups` is static. Repair the function so that
#
# * the row of a group without leaves is 0;
# * the program does not grow with the number of groups, of which there may be hundreds;
# * it stays one jitted function, pure, compiled once for each shape and `n_groups`.
#
# Adding up rows by group is called a *segment sum*. JAX has a function for it, in
# [`jax.ops`](https://docs.jax.dev/en/latest/jax.ops.html).


# %% solution="data_sizes_groups"
### BEGIN SOLUTION
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    totals = jax.ops.segment_sum(counts, group, num_segments=n_groups)
    leaves = jnp.bincount(group, length=n_groups)
    return totals / jnp.maximum(leaves, 1)[:, None]


### END SOLUTION
### BEGIN STARTER
# @partial(jax.jit, static_argnames="n_groups")
# def group_means(counts, group, n_groups):
#     means = [counts[group == k].mean(axis=0) for k in range(n_groups)]
#     return jnp.stack(means)
### END STARTER

# %% check="data_sizes_groups"
check("data_sizes_groups")

# %% [markdown]
# Each point below is a taxon. One far from the line prefers one kind of tree.

# %% tags=["demo"]
import matplotlib.pyplot as plt

kinds, group = np.unique(tree, return_inverse=True)
try:
    _, resistant, susceptible = group_means(counts, group, len(kinds))
    plt.loglog(1 + resistant, 1 + susceptible, "o")
    plt.axline((1, 1), (10, 10), color="gray")
    plt.xlabel("1 + mean count, resistant trees")
    plt.ylabel("1 + mean count, susceptible trees")
except jax.errors.NonConcreteBooleanIndexError:
    print("Repair group_means first, then run this cell again.")

# %% [markdown]
# ## What did it cost?
#
# A masked sum reads every row, chosen or not. For one mask, that is nearly always cheaper than the
# other way out: select with NumPy, *outside* of `jit`, and compile a program for each number of rows.

# %% tags=["demo"]
traces = []


def mean_count(chosen_rows):
    traces.append(
        chosen_rows.shape
    )  # a side effect: it happens only while tracing, as we want here
    return chosen_rows.mean(axis=0)


jitted_mean = jax.jit(mean_count)
for kind in np.unique(tree):
    jitted_mean(oaks.Y[tree == kind])
print(len(traces), "compilations for 3 masks:", traces)

# %% [markdown]
# With many groups it is another matter. One mask for each group reads all rows once for each group. A
# segment sum reads each row once. For 2320 rows in 100 groups:


# %% tags=["demo"]
from plnkit.machine import median_seconds

many = jnp.tile(counts, (20, 1))
groups = jnp.arange(len(many)) % 100


@jax.jit
def by_masks(rows, groups):
    one = lambda k: jnp.where((groups == k)[:, None], rows, 0).sum(axis=0)
    return jax.vmap(one)(jnp.arange(100))


@jax.jit
def by_segments(rows, groups):
    return jax.ops.segment_sum(rows, groups, num_segments=100)


print(f"100 masks:   {1e3 * median_seconds(lambda: by_masks(many, groups), 5):8.2f} ms")
print(f"segment sum: {1e3 * median_seconds(lambda: by_segments(many, groups), 5):8.2f} ms")

# %% [markdown]
# Three habits to take away:
#
# 1. Ask of each array under `jit`: what decides its length? If the answer is "the data", mask or pad.
# 2. Ask of each summary: what does it return for nothing? The sum of nothing is 0, its mean is
#    NaN, and its minimum is an error, or whatever you start from.
# 3. Where you choose a `size`, return the true number too. What does not fit is dropped silently.
#
# The JAX documentation has more: [the error and how to fix
# it](https://docs.jax.dev/en/latest/errors.html#jax.errors.NonConcreteBooleanIndexError), and
# [`jax.numpy.nonzero`](https://docs.jax.dev/en/latest/_autosummary/jax.numpy.nonzero.html).

# %% [markdown]
# ## Drills
#
# Three small repairs of two minutes each. They are practice: checked, but without points. Each
# function must stay jitted.
#
# **1.** `log_total(y)` returns the sum of the logarithms of all counts above zero, and 0 if there are
# none. It fails.


# %% solution="log_total"
### BEGIN SOLUTION
@jax.jit
def log_total(y):
    return jnp.where(y > 0, jnp.log(y), 0).sum()


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def log_total(y):
#     return jnp.log(y[y > 0]).sum()
### END STARTER

# %% check="log_total"
check("log_total")

# %% [markdown]
# **2.** `list_groups(group, size)` returns each number in `group` once, in increasing order: the first
# `size` of them. If there are fewer, -1 fills up the places that are left over. `size` is a plain
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
# **3.** Tree `i` has `leaves[i]` leaves, maybe none. `depth_of_leaves(depths, leaves, total)` returns
# the depth of its tree for each leaf. `total` is the number of all leaves, a plain Python integer. It
# fails.


# %% solution="depth_of_leaves"
### BEGIN SOLUTION
@partial(jax.jit, static_argnames="total")
def depth_of_leaves(depths, leaves, total):
    return jnp.repeat(depths, leaves, total_repeat_length=total)


### END SOLUTION
### BEGIN STARTER
# @partial(jax.jit, static_argnames="total")
# def depth_of_leaves(depths, leaves, total):
#     return jnp.repeat(depths, leaves)[:total]
### END STARTER

# %% check="depth_of_leaves"
check("depth_of_leaves")
