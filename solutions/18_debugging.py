# %% [markdown]
# # Debugging: failures that nobody sees
#
# **You will learn** what a compiled program does instead of raising an error, how to find the place
# with `jax.debug.print` and `jax.debug_nans`, and how to make a failure reach whoever called the
# function. About 35 minutes.
#
# The oaks come from three kinds of tree. `group` numbers the kind of each of the 116 leaves, and
# `B` has one row for each kind: the log of the mean count of each of the 114 taxa there.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check, predict
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import checkify

from plnkit import load_oaks

oaks = load_oaks()
counts, offsets = jnp.asarray(oaks.Y), jnp.asarray(oaks.O) - 6.0
kinds, group = np.unique(oaks.leaves["tree"], return_inverse=True)
B = jnp.stack([jnp.log(1 + counts[group == k].mean(axis=0)) for k in range(len(kinds))])
print(B.shape, "and the groups of the first leaves:", group[:5])

# %% [markdown]
# ## See it fail
#
# **First failure.** A colleague sends the groups numbered from 1, as R does. There is no row 3:


# %%
@jax.jit
def rows_of(B, group):
    return B[group]


print("numbered from 0:", rows_of(B, np.array([0, 1, 2]))[:, 0])
print("numbered from 1:", rows_of(B, np.array([1, 2, 3]))[:, 0])

# %% [markdown]
# Nobody complains. Group 1 gets the row of group 2, group 2 that of group 3, and group 3 keeps its
# own, because JAX reads the last row where there is none.
#
# **Second failure.** A fit goes through the leaves once, one step for each. One leaf has no reads: its
# sequencing depth is 0, so its offset is $\log 0 = -\infty$.


# %%
def poisson_loss(b, y, o):
    mean = jnp.exp(o + b)
    return (mean - y * jnp.log(mean)).mean()


@jax.jit
def loss_of_fit(Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
        return b - rate * slope, loss

    _, losses = lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))
    return losses.mean()


empty_leaf = 37
bad_counts = counts.at[empty_leaf].set(0.0)
bad_offsets = offsets.at[empty_leaf].set(-jnp.inf)
loss_of_fit(bad_counts, bad_offsets, 0.1)

# %% [markdown]
# The result is NaN, and nothing says why. `jax.debug_nans` makes JAX look at what each program
# returns, and stop at the first NaN:

# %% tags=["raises-exception"]
with jax.debug_nans(True):
    loss_of_fit(bad_counts, bad_offsets, 0.1)

# %% [markdown]
# ```
# FloatingPointError: invalid value (nan) encountered in scan
# ```
#
# It is in the scan. But at which step?
#
# ## Why
#
# A compiled program has no exceptions. Once it runs, on a GPU perhaps, there is no Python that
# could stop it, and it has to return arrays of the shapes that were promised. So where NumPy
# raises an error or warns, JAX quietly returns *something*:
#
# * An index past the end reads the last element. Past the end, `x.at[i].set(v)` writes nothing.
# * A negative index counts from the end, as in Python. Before the start, it reads the first
#   element. pandas marks a missing category with -1.
# * $0 \cdot \infty$, $0 / 0$ and $\infty - \infty$ are NaN, and NaN spreads to all that is computed from
#   it.
#
# A plain `raise` in a jitted function is of no use: Python runs it while tracing, when there are no
# values yet. There are three tools.
#
# | tool | what it does | when |
# | --- | --- | --- |
# | `jax.debug.print("{x}", x=x)` | prints values while the program runs | to find the place; then delete it |
# | `with jax.debug_nans(True):` | stops at the first NaN; slow | to find the place |
# | `checkify` | the program returns an *error value* beside its result | to stay |
#
# `jax.debug.print` sees every step of a scan. Here it shows when the NaN came:


# %%
@jax.jit
def show_losses(Y, O, rate):
    def step(b, leaf):
        i, y, o = leaf
        loss, slope = jax.value_and_grad(poisson_loss)(b, y, o)
        jax.debug.print("leaf {i}: loss {loss}", i=i, loss=loss)
        return b - rate * slope, None

    lax.scan(step, jnp.zeros_like(Y[0]), (jnp.arange(len(Y)), Y, O))


show_losses(bad_counts[:40], bad_offsets[:40], 0.1)
jax.effects_barrier()  # wait until everything is printed

# %% [markdown]
# It came at leaf 37, the one without reads. There, the mean is 0, and `y * jnp.log(mean)` is
# $0 \cdot (-\infty)$. So the gradient is NaN as well, the estimate `b` is NaN from there on, and so is
# every later loss.
#
# `checkify` takes a function with checks in it, and makes one that returns a pair: the error and the
# result. That function can be jitted. Call `error.throw()` outside of `jit`, where Python can raise: it
# raises the error, if there is one. (`error.get()` gives its text, or None.)


# %%
def log_depth(depth):
    checkify.check((depth > 0).all(), "a depth is {low}", low=depth.min())
    return jnp.log(depth)


checked_log_depth = jax.jit(checkify.checkify(log_depth))  # once: not at each call
for depth in (jnp.array([20.0, 50.0]), jnp.array([20.0, 0.0])):
    error, result = checked_log_depth(depth)
    print(result, error.get())

# %% [markdown]
# Checkify also writes checks for you: with `checkify.checkify(f, errors=checkify.index_checks)`
# for indices, with `errors=checkify.float_checks` for NaN and division by zero. And
# `x.at[i].get(mode="fill")` reads NaN where an index is past the end, if `x` holds floats.
#
# **Predict before you run.** Index 3 is past the end of `x`, and -1 is negative. For which of them does
# `mode="fill"` give NaN? For which does `index_checks` report an error?

# %% tags=["demo"]
predict("the indices with NaN, and with an error", ...)


# %% tags=["demo"]
x = jnp.array([10.0, 20.0, 30.0])
read = jax.jit(lambda x, i: x[i])
fill = jax.jit(lambda x, i: x.at[i].get(mode="fill"))
checked_read = jax.jit(checkify.checkify(lambda x, i: x[i], errors=checkify.index_checks))
for i in (2, 3, -1):
    error, _ = checked_read(x, i)
    print(f"index {i:2}: x[i] {read(x, i)}, fill {fill(x, i)}, index_checks: {error.get()}")

# %% [markdown]
# ## Your task
#
# ### First: a group that does not exist
#
# `log_means(B, group, O)` returns the log of the expected counts: the offsets, plus the row of `B` that
# belongs to each leaf's group. Repair it so that
#
# * a group without a row in `B`, too large or negative such as -1, makes the call of `log_means` raise
#   an error, of any type. Its text says that a group or index is out of range, or which one it is;
# * right groups give the same result as before, one array;
# * one jitted program does the work, compiled once for each shape, and one more at most looks at the
#   groups. `log_means` itself may be a plain function that calls them;
# * it stays pure: it prints nothing, and no `jax.debug.print` is left in.


# %% solution="debugging"
### BEGIN SOLUTION
def look_up(B, group, O):
    inside = (group >= 0) & (group < len(B))
    worst = group[jnp.argmin(inside)]
    checkify.check(inside.all(), "group {worst} is out of range: B has no such row", worst=worst)
    return O + B[group]


checked_look_up = jax.jit(checkify.checkify(look_up))


def log_means(B, group, O):
    error, result = checked_look_up(B, group, O)
    error.throw()
    return result


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def log_means(B, group, O):
#     return O + B[group]
### END STARTER

# %% [markdown]
# Run the check as often as you like.

# %% check="debugging"
check("debugging")

# %% tags=["demo"]
for name, groups in {
    "from 0": group,
    "from 1": group + 1,
    "one unknown": group - (group == 0),
}.items():
    try:
        print(f"{name}:", log_means(B, groups, offsets).shape)
    except Exception as error:
        print(f"{name}: {type(error).__name__}: {str(error).splitlines()[0]}")

# %% [markdown]
# ### Second: a NaN in the middle of a fit
#
# `fit(Y, O, rate)` is the fit above. It returns the estimate and the mean loss. Repair it so that
#
# * if any loss is NaN, the call of `fit` raises an error, of any type. This must hold whatever the
#   reason: a leaf without reads, as above; a missing count, which is NaN; a rate so large that the fit
#   diverges;
# * the text of the error says what was found, such as NaN, or on which leaf;
# * good data give the same pair as before;
# * one jitted program does the work, all leaves in one call, compiled once for each shape, and one
#   more at most looks at what it returns. `fit` itself may be a plain function that calls them;
# * it stays pure: it prints nothing, and no `jax.debug.print` is left in.


# %% solution="debugging_nan"
### BEGIN SOLUTION
def fit_leaves(Y, O, rate):
    def step(b, i):
        loss, slope = jax.value_and_grad(poisson_loss)(b, Y[i], O[i])
        checkify.check(~jnp.isnan(loss), "the loss is NaN at leaf {leaf}", leaf=i)
        return b - rate * slope, loss

    b, losses = lax.scan(step, jnp.zeros_like(Y[0]), jnp.arange(len(Y)))
    return b, losses.mean()


checked_fit = jax.jit(checkify.checkify(fit_leaves))


def fit(Y, O, rate):
    error, result = checked_fit(Y, O, rate)
    error.throw()
    return result


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def fit(Y, O, rate):
#     def step(b, leaf):
#         loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
#         return b - rate * slope, loss
#
#     b, losses = lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))
#     return b, losses.mean()
### END STARTER

# %% check="debugging_nan"
check("debugging_nan")

# %% tags=["demo"]
trials = {
    "good data": (counts, offsets, 0.1),
    "a leaf without reads": (bad_counts, bad_offsets, 0.1),
    "a missing count": (counts.at[90, 3].set(jnp.nan), offsets, 0.1),
    "too large a rate": (counts, offsets, 0.5),
}
for name, arguments in trials.items():
    try:
        print(f"{name}: loss {fit(*arguments)[1]:.2f}")
    except Exception as error:
        print(f"{name}: {type(error).__name__}: {str(error).splitlines()[0]}")

# %% [markdown]
# ## What did it cost?
#
# A check of your own is one more operation of the program. `float_checks` adds one for each
# operation that could make a NaN, and for each division, and the program is compiled and run more
# slowly for it. And whoever calls `error.throw()` waits for the result, so the next call cannot
# be sent off before this one has ended: throw once, after a loop, not at each step.

# %% tags=["demo"]
from plnkit.machine import median_seconds


def plain_fit(Y, O, rate):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *leaf)
        return b - rate * slope, loss

    return lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))


def fit_with_one_check(Y, O, rate):
    b, losses = plain_fit(Y, O, rate)
    checkify.check(~jnp.isnan(losses).any(), "a loss is NaN")
    return b, losses


versions = {
    "no check": jax.jit(plain_fit),
    "one check": jax.jit(checkify.checkify(fit_with_one_check)),
    "float_checks": jax.jit(checkify.checkify(plain_fit, errors=checkify.float_checks)),
}
for name, version in versions.items():
    seconds = median_seconds(lambda version=version: version(counts, offsets, 0.1), 20)
    print(f"{name:12} {1e3 * seconds:8.3f} ms")

# %% [markdown]
# Three habits to take away:
#
# 1. Check indices and data where they enter, in NumPy. It is cheap there, and Python can raise.
# 2. Check with checkify what only the program knows, such as a loss. Throw outside of `jit`.
# 3. `jax.debug.print` and `jax.debug_nans` find the place. Take them out again when you are done.
#
# The JAX documentation has more: [checkify](https://docs.jax.dev/en/latest/debugging/checkify_guide.html),
# [debugging values](https://docs.jax.dev/en/latest/debugging/print_breakpoint.html), and
# [`jax.debug_nans`](https://docs.jax.dev/en/latest/_autosummary/jax.debug_nans.html).

# %% [markdown]
# ## Drills
#
# Three small repairs of two minutes each. They are practice: checked, but without points. The work
# must stay jitted, compiled once for each shape.
#
# **1.** `count_of(y, taxon)` returns the count of a taxon, and should return 0 where there is no such
# taxon: where its number is too large, or negative.


# %% solution="count_of"
### BEGIN SOLUTION
@jax.jit
def count_of(y, taxon):
    return jnp.where((taxon >= 0) & (taxon < len(y)), y[taxon], 0)


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def count_of(y, taxon):
#     return y[taxon]
### END STARTER

# %% check="count_of"
check("count_of")

# %% [markdown]
# **2.** `log_depths(depths)` returns the logarithms of the depths. If one of them is not above zero,
# it should raise an error, of any type. It never does.


# %% solution="log_depths"
### BEGIN SOLUTION
@jax.jit
@checkify.checkify
def checked_logs(depths):
    checkify.check((depths > 0).all(), "a depth is not above zero")
    return jnp.log(depths)


def log_depths(depths):
    error, logs = checked_logs(depths)
    error.throw()
    return logs


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# @checkify.checkify
# def checked_logs(depths):
#     checkify.check((depths > 0).all(), "a depth is not above zero")
#     return jnp.log(depths)
#
#
# def log_depths(depths):
#     error, logs = checked_logs(depths)
#     return logs
### END STARTER

# %% check="log_depths"
check("log_depths")

# %% [markdown]
# **3.** A missing count is NaN. `first_missing(y)` should return the index of the first one, or
# -1 if none is missing. One of its answers is wrong.


# %% solution="first_missing"
### BEGIN SOLUTION
@jax.jit
def first_missing(y):
    missing = jnp.isnan(y)
    return jnp.where(missing.any(), jnp.argmax(missing), -1)


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def first_missing(y):
#     return jnp.argmax(jnp.isnan(y))
### END STARTER

# %% check="first_missing"
check("first_missing")
