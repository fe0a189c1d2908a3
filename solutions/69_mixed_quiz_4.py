# %% [markdown]
# # Mixed quiz 4: anything may be wrong
#
# The last quiz before the capstone. Three functions are broken: one stops with an error, two give
# wrong numbers and say nothing. Of the five functions after them, some are fine. About 20 minutes.
# As in the lessons, a repaired function is **pure**, does all its work in **one program**
# unless the task says otherwise, and compiles **at most once** for each shape and each setting.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

import jax
import jax.numpy as jnp

from plnkit import load_oaks

counts = jnp.asarray(load_oaks().Y)
counts.shape

# %% [markdown]
# ## Your task: years of growth
#
# `grown(rate, start, years)` should return how much of each taxon is there after `years` years,
# each of which adds `rate * x * (1 - x)` to `x`. The values are right. But `jax.grad` of their sum
# with respect to `rate` stops with an error. `years` is a plain integer, a setting, and the program
# must not grow with it.


# %% solution="mixed_quiz_4_grown"
### BEGIN SOLUTION
from functools import partial


@partial(jax.jit, static_argnames="years")
def grown(rate, start, years):
    return jax.lax.fori_loop(0, years, lambda _, x: x + rate * x * (1 - x), start)


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def grown(rate, start, years):
#     return jax.lax.fori_loop(0, years, lambda _, x: x + rate * x * (1 - x), start)
### END STARTER

# %% check="mixed_quiz_4_grown"
check("mixed_quiz_4_grown")

# %% [markdown]
# ## Your task: shorter and shorter steps
#
# `descend(B, slopes)` should subtract from `B` the first row of `slopes`, then a half of the
# second, a third of the third, and so on, and return the result. It returns something else, and
# something different again for the next shape. A Python loop over one jitted step is fine here.


# %% solution="mixed_quiz_4_descend"
### BEGIN SOLUTION
@jax.jit
def step(B, slope, count):
    return B - slope / count


def descend(B, slopes):
    for i, slope in enumerate(slopes):
        B = step(B, slope, i + 1)
    return B


### END SOLUTION
### BEGIN STARTER
# count = 0
#
#
# @jax.jit
# def step(B, slope):
#     global count
#     count = count + 1
#     return B - slope / count
#
#
# def descend(B, slopes):
#     for slope in slopes:
#         B = step(B, slope)
#     return B
### END STARTER

# %% check="mixed_quiz_4_descend"
check("mixed_quiz_4_descend")

# %% [markdown]
# ## Your task: the effect of a group
#
# `group_effects(effects, groups)` should return a row of `effects` for each site: that of its
# group. `effects` has a row for each group, from 0 on. Where the group of a site is not known,
# `groups` holds a number that no group has, below 0 or too large, and the row should be zeros. Try
# it with such numbers.


# %% solution="mixed_quiz_4_groups"
### BEGIN SOLUTION
@jax.jit
def group_effects(effects, groups):
    known = (groups >= 0) & (groups < len(effects))
    return jnp.where(known[:, None], effects[groups], 0)


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def group_effects(effects, groups):
#     return effects[groups]
### END STARTER

# %% check="mixed_quiz_4_groups"
check("mixed_quiz_4_groups")

# %% [markdown]
# ## Your task: five functions, some of them fine
#
# Each should subtract its mean from each column. Each is called with `Y`, with `2 * Y` and with
# `Y[:3]`, in this order.


# %%
def centered(Y):
    return Y - Y.mean(axis=0)


@jax.jit
def by_shape(Y):
    if len(Y) == 1:
        return jnp.zeros_like(Y)
    return centered(Y)


def by_new_function(Y):
    return jax.jit(lambda Y: centered(Y))(Y)


kept = {}


def by_dictionary(Y):
    if Y.shape not in kept:
        kept[Y.shape] = jax.jit(centered)(Y)
    return kept[Y.shape]


means = []


@jax.jit
def by_list(Y):
    means.append(Y.mean(axis=0))
    return Y - means[0]


@jax.jit
def by_column(Y):
    columns = []
    for column in Y.T:
        columns.append(column - column.mean())
    return jnp.stack(columns, axis=1)


Y = jnp.arange(24.0).reshape(6, 4)

# %% [markdown]
# Say for each what happens: `"right"` (right results, one program for each shape), `"compiles"`
# (right results, a program for each call), `"wrong"` (a wrong result) or `"error"` (a call stops
# with one).

# %% solution="mixed_quiz_4_five"
### BEGIN SOLUTION
answers = {
    "by_shape": "right",
    "by_new_function": "compiles",
    "by_dictionary": "wrong",
    "by_list": "error",
    "by_column": "right",
}
### END SOLUTION
### BEGIN STARTER
# answers = {
#     "by_shape": None,
#     "by_new_function": None,
#     "by_dictionary": None,
#     "by_list": None,
#     "by_column": None,
# }
### END STARTER

# %% check="mixed_quiz_4_five"
check("mixed_quiz_4_five")

# %% [markdown]
# ## If one of these stopped you
#
# | task | read again |
# | --- | --- |
# | years of growth | [loop_gradients](lesson:loop_gradients), [scan_fit](lesson:scan_fit) |
# | shorter and shorter steps | [purity_hunt](lesson:purity_hunt) |
# | the effect of a group | [debugging](lesson:debugging) |
# | five functions, some of them fine | [purity_hunt](lesson:purity_hunt), [recompile_hunt](lesson:recompile_hunt) |
#
# The JAX documentation has [the sharp
# bits](https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html) in one page.
