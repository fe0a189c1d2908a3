# %% [markdown]
# # Debugging: failures that nobody sees
#
# **One site without reads, and 79 of 116 losses are NaN. No error, no warning.**
#
# **You will learn** what a compiled program does instead of raising an error, how to find the place
# with `jax.debug.print` and `jax.debug_nans`, and how to make a failure reach whoever called the
# function. About 40 minutes.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check, outcome, predict
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


def poisson_loss(b, y, o):
    """Minus the mean log-likelihood of one site's counts, up to a constant."""
    mean = jnp.exp(o + b)
    return (mean - y * jnp.log(mean)).mean()


# %% tags=["demo"]
@jax.jit
def losses_of_fit(Y, O, rate):
    def step(b, site):
        loss, slope = jax.value_and_grad(poisson_loss)(b, *site)
        return b - rate * slope, loss

    return lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))[1]


bad_counts = counts.at[37].set(0.0)  # site 37 has no reads: all its counts are 0,
bad_offsets = offsets.at[37].set(-jnp.inf)  # so the log of their total is -inf
losses = losses_of_fit(bad_counts, bad_offsets, 0.1)
print(jnp.isnan(losses).sum(), "of", len(losses), "losses are NaN; their mean is", losses.mean())

# %% [markdown]
# ## See it fail
#
# The fit goes through the sites of the oaks once, one step for each. Site 37 spoils it, and nothing
# says so. `jax.debug_nans` makes JAX look at what each program returns, and stop at the first NaN:

# %% tags=["raises-exception"]
with jax.debug_nans(True):
    losses_of_fit(bad_counts, bad_offsets, 0.1)

# %% [markdown]
# ```
# FloatingPointError: invalid value (nan) encountered in scan
# ```
#
# It is in the scan. But at which step?
#
# Another failure of this sort: the sites are leaves of three kinds of tree, and `B` has a row for each
# kind. A colleague sends the kinds numbered from 1, as in R.

# %%
kinds, group = np.unique(
    oaks.leaves["tree"], return_inverse=True
)  # group: 0, 1 or 2, for each site
B = jnp.stack([jnp.log(1 + counts[group == k].mean(axis=0)) for k in range(len(kinds))])
rows_of = jax.jit(lambda B, group: B[group])

print("numbered from 0:", rows_of(B, np.array([0, 1, 2]))[:, 0])
print("numbered from 1:", rows_of(B, np.array([1, 2, 3]))[:, 0])

# %% [markdown]
# Group 1 gets the row of group 2, group 2 that of group 3, and group 3 keeps its own, because JAX
# reads the last row when the index is past the end.
#
# ## Why
#
# A compiled program has no exceptions. Once it runs, perhaps on a GPU, there is no Python that
# could stop it, and it has to return arrays of the shapes that were promised. Where NumPy raises an
# error or warns, JAX returns *something*:
#
# * An index past the end reads the last element, and `x.at[i].set(v)` writes nothing there.
# * A negative index counts from the end, as in Python. One that is before the start reads the first
#   element. pandas marks a missing category with -1.
# * $0 \cdot \infty$, $0 / 0$ and $\infty - \infty$ are NaN, and so is all that is computed from it.
#
# A plain `raise` in a jitted function is of no use: Python runs it while tracing, when there are no
# values yet. There are three tools.
#
# | tool | what it does | when |
# | --- | --- | --- |
# | `jax.debug.print("{x}", x=x)` | prints values while the program runs | to find the place; then delete it |
# | `with jax.debug_nans(True):` | stops at the first NaN; slow | to find the place |
# | `checkify` | the program returns an *error value* along with its result | for code that you keep |
#
# `jax.debug.print` sees every step of a scan:


# %% tags=["demo"]
@jax.jit
def show_losses(Y, O, rate):
    def step(b, site):
        i, y, o = site
        loss, slope = jax.value_and_grad(poisson_loss)(b, y, o)
        jax.debug.print("site {i}: loss {loss}", i=i, loss=loss)
        return b - rate * slope, None

    lax.scan(step, jnp.zeros_like(Y[0]), (jnp.arange(len(Y)), Y, O))


show_losses(bad_counts[:40], bad_offsets[:40], 0.1)
jax.effects_barrier()  # wait until everything is printed

# %% [markdown]
# At site 37 the mean is 0, and `y * jnp.log(mean)` is $0 \cdot (-\infty)$. The gradient is NaN as well,
# and so are the estimate `b` and every later loss.
#
# `checkify` takes a function with checks in it, and makes one that returns a pair: the error and the
# result. That one can be jitted. Outside of `jit`, where Python can raise, `error.throw()` raises the
# error if there is one. (`error.get()` gives its text, or None.)


# %%
def log_depth(depth):
    checkify.check((depth > 0).all(), "a depth is {low}", low=depth.min())
    return jnp.log(depth)


checked_log_depth = jax.jit(checkify.checkify(log_depth))  # once: not at each call
for depth in (jnp.array([20.0, 50.0]), jnp.array([20.0, 0.0])):
    error, result = checked_log_depth(depth)
    print(result, error.get())

# %% [markdown]
# Checkify also writes checks for you: `checkify.checkify(f, errors=checkify.index_checks)` for indices,
# `errors=checkify.float_checks` for NaN and division by zero. And `x.at[i].get(mode="fill")` reads NaN
# where an index is past the end.
#
# **Predict before you run.** `x` holds 10, 20 and 30. What does `x.at[-1].get(mode="fill")` read?

# %% tags=["demo"]
predict("what fill reads at index -1", ...)


# %% tags=["demo"]
x = jnp.array([10.0, 20.0, 30.0])
fill = jax.jit(lambda x, i: x.at[i].get(mode="fill"))
checked_read = jax.jit(checkify.checkify(lambda x, i: x[i], errors=checkify.index_checks))
for i in (2, 3, -1):
    error, _ = checked_read(x, i)
    print(f"index {i:2}: fill {fill(x, i)}, index_checks: {error.get()}")
outcome("what fill reads at index -1", float(fill(x, -1)))

# %% [markdown]
# Neither sees a negative index.
#
# ## Your task
#
# ### First: a group that does not exist
#
# `log_means(B, group, O)` returns the log of the expected counts: the offsets, plus the row of `B` that
# belongs to each site's group. Repair it so that
#
# * a group without a row in `B`, too large or negative such as -1, makes the call of `log_means` raise
#   an error, of any type. Its text says in words that a group or an index is out of range, or it gives
#   the number of a group that has no row. One of the two is enough;
# * right groups give the same result as before, one array;
# * one jitted program does the work, compiled once for each shape, and at most one more checks the
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

# %% [markdown]
# ### Second: a NaN in the middle of a fit
#
# `fit(Y, O, rate)` is the fit from above. It returns the estimate and the mean loss. Repair it so that
#
# * if any loss is NaN, the call of `fit` raises an error, of any type, whatever the reason: a site
#   without reads; a missing count, which is NaN; a rate so large that the fit diverges;
# * the text of the error says in words what was found, such as NaN, or it gives the number of the
#   site. One of the two is enough;
# * good data give the same pair as before;
# * one jitted program does the work, all sites in one call, compiled once for each shape, and at
#   most one more checks what it returns. `fit` itself may be a plain function that calls them;
# * it stays pure: it prints nothing, and no `jax.debug.print` is left in.


# %% solution="debugging_nan"
### BEGIN SOLUTION
def fit_leaves(Y, O, rate):
    def step(b, i):
        loss, slope = jax.value_and_grad(poisson_loss)(b, Y[i], O[i])
        checkify.check(~jnp.isnan(loss), "the loss is NaN at site {site}", site=i)
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
#     def step(b, site):
#         loss, slope = jax.value_and_grad(poisson_loss)(b, *site)
#         return b - rate * slope, loss
#
#     b, losses = lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))
#     return b, losses.mean()
### END STARTER

# %% check="debugging_nan"
check("debugging_nan")

# %% [markdown]
# Once both pass, nothing fails silently any more:

# %% tags=["demo"]
trials = {
    "right groups": lambda: log_means(B, group, offsets),
    "from 1": lambda: log_means(B, group + 1, offsets),
    "one unknown": lambda: log_means(B, group - (group == 0), offsets),
    "good data": lambda: fit(counts, offsets, 0.1),
    "a site without reads": lambda: fit(bad_counts, bad_offsets, 0.1),
    "a missing count": lambda: fit(counts.at[90, 3].set(jnp.nan), offsets, 0.1),
    "too large a rate": lambda: fit(counts, offsets, 0.5),
}
for name, call in trials.items():
    try:
        jax.block_until_ready(call())
        print(f"{name}: a result")
    except Exception as error:
        print(f"{name}: {type(error).__name__}: {str(error).splitlines()[0]}")

# %% [markdown]
# ## What did it cost?
#
# A check of your own is one more operation of the program. `float_checks` adds one for each operation
# that could make a NaN, and the program runs more slowly for it. And whoever calls `error.throw()`
# waits for the result: throw once, after a loop, not at each step.

# %% tags=["demo"]
from plnkit.machine import median_seconds


def plain_fit(Y, O, rate):
    return losses_of_fit.__wrapped__(Y, O, rate)


def fit_with_one_check(Y, O, rate):
    losses = plain_fit(Y, O, rate)
    checkify.check(~jnp.isnan(losses).any(), "a loss is NaN")
    return losses


versions = {
    "no check": jax.jit(plain_fit),
    "one check": jax.jit(checkify.checkify(fit_with_one_check)),
    "float_checks": jax.jit(checkify.checkify(plain_fit, errors=checkify.float_checks)),
}
for name, version in versions.items():
    seconds = median_seconds(lambda version=version: version(counts, offsets, 0.1), 20)
    print(f"{name:12} {1e3 * seconds:8.3f} ms")

# %% [markdown]
# To take away:
#
# 1. Check indices and data where they enter, in NumPy. It is cheap there, and Python can raise.
# 2. Check with checkify what only the program knows, such as a loss. Throw outside of `jit`.
# 3. `jax.debug.print` and `jax.debug_nans` find the place. Take them out again when you are done.
#
# The JAX documentation has more: [checkify](https://docs.jax.dev/en/latest/debugging/checkify_guide.html),
# and [debugging values](https://docs.jax.dev/en/latest/debugging/print_breakpoint.html).

# %% [markdown]
# ## Drills
#
# Two small repairs of two minutes each. They are practice: checked, but without points. The work
# must stay jitted, compiled once for each shape.
#
# **1.** `log_depths(depths)` returns the logarithms of the depths. If one of them is not above zero,
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
# **2.** A missing count is NaN. `first_missing(y)` should return the index of the first one, or
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
