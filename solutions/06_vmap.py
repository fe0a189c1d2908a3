# %% [markdown]
# # vmap: write it for one row, run it for all
#
# **One call in place of 116: about 100 times as fast, and the same numbers.**
#
# **You will learn** to write a function of one row and let `jax.vmap` make the function of all rows,
# to say which axis it maps over, and what becomes of `lax.cond` on the way. About 30 minutes.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check, outcome, predict
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from plnkit import load_oaks
from plnkit.machine import median_seconds

counts = jnp.asarray(load_oaks().Y)
counts.shape


# %% tags=["demo"]
def dominance(y):
    """How likely are two counts, drawn from one site, to be of the same species?"""
    shares = y / y.sum()
    return (shares**2).sum()


of_one = jax.jit(dominance)
of_all = jax.jit(jax.vmap(dominance))
ways = {
    "a Python loop over 116 rows": lambda: jnp.stack([of_one(y) for y in counts]),
    "np.vectorize": lambda: np.vectorize(of_one, signature="(p)->()")(counts),
    "one program, by jax.vmap": lambda: of_all(counts),
}
times = {name: 1e3 * median_seconds(way, 7) for name, way in ways.items()}
for name, milliseconds in times.items():
    same = np.allclose(ways[name](), of_all(counts))
    print(f"{name:28} {milliseconds:8.2f} ms   same numbers: {same}")
loop, *_, program = times.values()
print(f"{loop / program:.0f} times as fast")

# %% [markdown]
# Each row of the table is a site (an oak leaf), each column a species. `of_one` is compiled, and
# still slow in a loop: each of its 116 calls goes through Python, slices a row, and starts a tiny
# program. `np.vectorize` is a Python loop too, and fails under `jit`. `jax.vmap(f)` has no loop: it
# traces `f` once for one row, and replaces each operation with one on all rows together.
#
# **Predict before you run.** `counts` has two axes. How many does `y` have, inside the function?

# %% tags=["demo"]
predict("the axes of y inside", ...)


# %% tags=["demo"]
def look(y):
    print("while vmap traces:", y.shape, y.dtype)
    axes.append(y.ndim)
    return y.max()


axes = []
print("the result:       ", jax.vmap(look)(counts).shape)
outcome("the axes of y inside", axes[0])

# %% [markdown]
# One print for 116 rows, and a shape without the mapped axis: you write for one row, and never see
# the others. `vmap` traces, as `jit` does: inside it, a Python `if` on data fails even without
# `jit`.
#
# ## See it fail
#
# How far is each site from the average site?


# %% tags=["raises-exception"]
def bray_curtis(a, b):
    """0 where two sites have the same counts, 1 where they share no species."""
    return jnp.abs(a - b).sum() / (a + b).sum()


average = counts.mean(axis=0)
jax.vmap(bray_curtis)(counts, average)

# %% [markdown]
# ```
# ValueError: vmap got inconsistent sizes for array axes to be mapped:
#   * one axis had size 116: axis 0 of argument a of type float32[116,114];
#   * one axis had size 114: axis 0 of argument b of type float32[114]
# ```
#
# ## Why
#
# `vmap` maps over axis 0 of *every* argument, unless you say otherwise. `in_axes` has an entry for
# each argument: the number of the axis that is mapped, or `None` for an argument that all rows share.
# `jax.vmap(bray_curtis, in_axes=(0, None))(counts, average)` works. Results are stacked along axis 0,
# or along the axis that `out_axes` names.
#
# Be glad of the error. With as many sites as species, the wrong axes would have fitted.
#
# ## Your task
#
# ### First: from a loop to one program
#
# `hill_number(y, order)` is the effective number of species at one site. Order 0 counts each
# species that was seen, and higher orders give rare ones less weight. `diversities(counts, order)`
# returns it for each site. It works, but makes one call for each row. Change it so that
#
# * it returns the same array, for any table in which each site has a count above zero, and for any
#   `order`, a plain Python integer, 0 or more;
# * it is one jitted function, pure, compiled once for each shape and `order`;
# * its program does not grow with the number of sites: no Python loop over rows.


# %% solution="vmap"
### BEGIN SOLUTION
def hill_number(y, order):
    shares = y / y.sum()
    seen = shares > 0
    if order == 1:
        return jnp.exp(-jnp.where(seen, shares * jnp.log(jnp.where(seen, shares, 1)), 0).sum())
    return jnp.where(seen, shares**order, 0).sum() ** (1 / (1 - order))


@partial(jax.jit, static_argnames="order")
def diversities(counts, order):
    return jax.vmap(hill_number, in_axes=(0, None))(counts, order)


### END SOLUTION
### BEGIN STARTER
# @partial(jax.jit, static_argnames="order")
# def hill_number(y, order):
#     shares = y / y.sum()
#     seen = shares > 0
#     if order == 1:
#         return jnp.exp(-jnp.where(seen, shares * jnp.log(jnp.where(seen, shares, 1)), 0).sum())
#     return jnp.where(seen, shares**order, 0).sum() ** (1 / (1 - order))
#
#
# def diversities(counts, order):
#     return jnp.stack([hill_number(y, order) for y in counts])
### END STARTER

# %% check="vmap"
check("vmap")

# %% [markdown]
# ### Second: which axis
#
# `taxon_residuals(y, o, X, b)` is right for one species: its counts `y` (n,), offsets `o` (n,) and
# coefficients `b` (d,), and the covariates `X` (n, d) of all sites. `residuals(Y, O, X, B)` gets the
# tables of all species, `Y` (n, p), `O` (n, p) and `B` (d, p), in which each species is a *column*. It
# fails with
#
# ```
# ValueError: vmap got inconsistent sizes for array axes to be mapped:
# ```
#
# Repair it so that
#
# * it returns the residuals as a table of shape (n, p), like `Y`;
# * it is right for any numbers of sites, species and covariates, even if these numbers are equal;
# * it stays one jitted function, pure, compiled once for each shape.


# %% solution="vmap_axes"
### BEGIN SOLUTION
def taxon_residuals(y, o, X, b):
    fitted = jnp.exp(o + X @ b)
    return (y - fitted) / jnp.sqrt(fitted)


@jax.jit
def residuals(Y, O, X, B):
    of_all = jax.vmap(taxon_residuals, in_axes=(1, 1, None, 1), out_axes=1)
    return of_all(Y, O, X, B)


### END SOLUTION
### BEGIN STARTER
# def taxon_residuals(y, o, X, b):
#     fitted = jnp.exp(o + X @ b)
#     return (y - fitted) / jnp.sqrt(fitted)
#
#
# @jax.jit
# def residuals(Y, O, X, B):
#     return jax.vmap(taxon_residuals)(Y, O, X, B)
### END STARTER

# %% check="vmap_axes"
check("vmap_axes")

# %% [markdown]
# ## What did it cost?
#
# Memory, because each value inside the function is kept for all rows at once. And branches cost
# more.
#
# **Predict before you run.** `root_or_zero` below has a `cond`. Which operation chooses in its
# program for many rows?

# %% tags=["demo"]
predict("what chooses for each row", ..., among=["cond", "select_n"])


# %% tags=["demo"]
def root_or_zero(x):
    return lax.cond(x > 0, jnp.sqrt, jnp.zeros_like, x)


def operations(function, x):
    return [equation.primitive.name for equation in jax.make_jaxpr(function)(x).eqns]


print("one row:  ", operations(root_or_zero, jnp.float32(4)))
many = operations(jax.vmap(root_or_zero), jnp.array([4.0, -1.0]))
print("many rows:", many)
outcome("what chooses for each row", "cond" if "cond" in many else "select_n")

# %% [markdown]
# One program serves rows that need different branches. So `vmap` computes both branches for every row,
# and chooses with `select_n`, as `jnp.where` does. (Where the test is the same for all rows, not
# mapped over, `cond` stays `cond`.) Where one branch is expensive and rare, map with
# `lax.map(f, rows)`: still one program, but one row after another, and a `cond` for each.


# %% tags=["demo"]
def expensive(y):
    for _ in range(50):
        y = jnp.cos(y)
    return y


def rarely_expensive(y):
    return lax.cond(y[0] > 1e6, expensive, lambda y: y, y)


long_rows = jnp.ones((32, 5_000))
by_vmap = jax.jit(jax.vmap(rarely_expensive))
by_map = jax.jit(lambda rows: lax.map(rarely_expensive, rows))
print(f"cond under vmap: {1e3 * median_seconds(lambda: by_vmap(long_rows), 5):7.2f} ms")
print(f"cond in lax.map: {1e3 * median_seconds(lambda: by_map(long_rows), 5):7.2f} ms")

# %% [markdown]
# To take away:
#
# 1. Write the function of one row, `vmap` it, and put `jit` around the whole.
# 2. `in_axes` has an entry for each argument: the mapped axis, or `None` for what all rows share.
# 3. Under `vmap` both branches of a `cond` run, for every row.
#
# The JAX documentation has more:
# [transformations](https://docs.jax.dev/en/latest/101/transformations.html), and
# [`jax.vmap`](https://docs.jax.dev/en/latest/_autosummary/jax.vmap.html).

# %% [markdown]
# ## Drills
#
# Three small repairs of two minutes each. They are practice: checked, but without points. Each
# function must stay jitted.
#
# **1.** `counts_above(counts, limits)` returns for each row how many of its counts are above the limit
# of that row: `limits` has one for each row. It fails.


# %% solution="counts_above"
### BEGIN SOLUTION
@jax.jit
def counts_above(counts, limits):
    return jax.vmap(lambda y, limit: (y > limit).sum())(counts, limits)


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def counts_above(counts, limits):
#     return jax.vmap(lambda y, limit: (y > limit).sum(), in_axes=(0, None))(counts, limits)
### END STARTER

# %% check="counts_above"
check("counts_above")

# %% [markdown]
# **2.** `all_pairs(counts)` returns a square table: the dissimilarity of each row to every row. As
# it stands, it returns only that of each row to itself.


# %% solution="all_pairs"
### BEGIN SOLUTION
@jax.jit
def all_pairs(counts):
    def dissimilarity(a, b):
        return jnp.abs(a - b).sum() / (a + b).sum()

    to_all = jax.vmap(dissimilarity, in_axes=(None, 0))
    return jax.vmap(to_all, in_axes=(0, None))(counts, counts)


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def all_pairs(counts):
#     def dissimilarity(a, b):
#         return jnp.abs(a - b).sum() / (a + b).sum()
#
#     return jax.vmap(dissimilarity)(counts, counts)
### END STARTER

# %% check="all_pairs"
check("all_pairs")

# %% [markdown]
# **3.** `scale_rows(x)` divides each row by its largest entry, where that is above 1. It fails. (`vmap`
# traces, and Python's `if` needs a number.)


# %% solution="scale_rows"
### BEGIN SOLUTION
@jax.jit
def scale_rows(x):
    return jax.vmap(lambda row: row / jnp.maximum(row.max(), 1))(x)


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def scale_rows(x):
#     def scale(row):
#         if row.max() > 1:
#             return row / row.max()
#         return row
#
#     return jax.vmap(scale)(x)
### END STARTER

# %% check="scale_rows"
check("scale_rows")
