# %% [markdown]
# # A branch on data: cond, where, select, switch
#
# **You will learn** to branch on a value that comes out of the data, with one compilation for all
# values, and what such a branch becomes under `vmap`, which runs a function on many rows at once.
# About 25 minutes.
#
# Counts of a species vary more than the Poisson law allows. The "LN" in PLN (Poisson-lognormal)
# models that extra spread. If a species has mean $m$ and variance $v$, the lognormal part has
# variance $\log(1 + (v - m)/m^2)$. This holds only if $v > m$. Otherwise there is no extra spread,
# and the estimate is 0. That is an `if` again, and this time a static argument does not help.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check, predict
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

import jax
import jax.numpy as jnp
from jax import lax

from plnkit import load_oaks

counts = jnp.asarray(load_oaks().Y)
counts.shape

# %% [markdown]
# ## See it fail


# %%
@jax.jit
def spread(x):
    if x.var() > x.mean():
        return x.var() / x.mean()
    return 1.0


# %% tags=["raises-exception"]
spread(counts[:, 0])

# %% [markdown]
# ```
# TracerBoolConversionError: Attempted boolean conversion of traced array with shape bool[].
# The error occurred while tracing the function spread ... for jit. This concrete value was not
# available in Python because it depends on the value of the argument x.
# ```
#
# ## Why
#
# It is the error of the last lesson, but that way out is closed. `x` is an array of data, which
# cannot be static, and which branch to take is not known before the program *runs*. So the program
# itself has to hold both branches, and choose. JAX has several ways to write that:
#
# | | chooses | computes |
# | --- | --- | --- |
# | `jnp.where(test, a, b)` | element by element | both `a` and `b`, always |
# | `lax.select(test, a, b)` | the same; shapes and dtypes must agree exactly | both |
# | `jnp.select([test_1, test_2], [a, b], c)` | element by element, the first test that is true | all |
# | `lax.cond(test, f, g, *args)` | one branch for a scalar `test` | `f(*args)` or `g(*args)` |
# | `lax.switch(i, [f, g, h], *args)` | one of several, by an integer | the one chosen |
# | `jnp.piecewise(x, [test_1, test_2], [f, g, h])` | for each `x`, the *last* test that is true | all; the one chosen for a scalar `x` |
#
# `cond` and `switch` take *functions*, and all of them must return the same structure, shapes and
# dtypes, because the rest of the program is compiled before the branch is chosen.
#
# **Predict before you run.** Each branch below prints when Python runs it. There are three calls,
# with the indices 0, 2 and 0. What will be printed?

# %% tags=["demo"]
predict("the branches that are printed, in order", ...)


# %% tags=["demo"]
def loud(name, factor):
    def branch(x):
        print("Python runs branch", name)
        return factor * x

    return branch


@jax.jit
def scale(index, x):
    return lax.switch(index, [loud("zero", 0.0), loud("one", 1.0), loud("two", 2.0)], x)


for index in (0, 2, 0):
    print("result", scale(jnp.int32(index), jnp.float32(7.0)))

# %% [markdown]
# Every branch was traced once, at the first call, even the one that is never taken. After that no
# Python runs: the compiled program looks at the index and chooses.
#
# ## Your task
#
# **First**, `latent_variance(counts)` computes the estimate above for one species, a vector of
# counts. Repair it so that
#
# * the results are right for any counts, also when all are zero, or there is only one;
# * it stays one jitted function, pure, compiled once for each length of `counts`, whatever its
#   values.


# %% solution="traced_branch"
### BEGIN SOLUTION
@jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    return lax.cond(
        variance > mean,
        lambda: jnp.log(1 + (variance - mean) / mean**2),
        lambda: jnp.zeros_like(mean),
    )


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def latent_variance(counts):
#     mean, variance = counts.mean(), counts.var()
#     if variance > mean:
#         return jnp.log(1 + (variance - mean) / mean**2)
#     return 0.0
### END STARTER

# %% check="traced_branch"
check("traced_branch")

# %% [markdown]
# **Second**, `transform(counts, kind)`. `kind` is a JAX integer that comes out of another
# computation, so it cannot be static. It is 0 (logarithm of the count plus 1), 1 (square root) or 2
# (present or absent: 1.0 or 0.0). Repair it: one program for all three.


# %% solution="traced_branch_switch"
### BEGIN SOLUTION
@jax.jit
def transform(counts, kind):
    return lax.switch(
        kind,
        [
            lambda y: jnp.log1p(y),
            lambda y: jnp.sqrt(y),
            lambda y: (y > 0).astype(y.dtype),
        ],
        counts,
    )


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def transform(counts, kind):
#     if kind == 0:
#         return jnp.log1p(counts)
#     if kind == 1:
#         return jnp.sqrt(counts)
#     return (counts > 0).astype(counts.dtype)
### END STARTER

# %% check="traced_branch_switch"
check("traced_branch_switch")

# %% [markdown]
# When a check passes, the card compares your jaxpr with that of the lesson's solution. Open that
# line: `cond` shows its branches, indented, and `where` has none: both results are computed, and
# `select_n` picks.
#
# Once the first check passes, apply `latent_variance` to all 114 species of the oaks at once.
# `jax.vmap` turns a function of one column into a function of all columns. Does any species vary
# no more than the Poisson law allows?

# %% tags=["demo"]
try:
    variances = jax.vmap(latent_variance, in_axes=1)(counts)
    print(int((variances == 0).sum()), "of", len(variances), "species show no extra spread")
except jax.errors.TracerBoolConversionError:
    print("Repair latent_variance first, then run this cell again.")

# %% [markdown]
# ## What did it cost?
#
# One compilation, whatever the data are. That is the gain over static arguments. When the program
# runs, `cond` computes only the chosen branch, and `where` computes both. An expensive branch shows
# the difference. (`median_seconds` times as you did in lesson `timing`: one call to warm up, then
# the median.)

# %% tags=["demo"]
from functools import partial

from plnkit.machine import median_seconds

numbers = jnp.linspace(0.0, 1.0, 100_000)


def expensive(x):
    for _ in range(20):
        x = jnp.cos(x)
    return x


def by_cond(needed, x):
    return lax.cond(needed, expensive, lambda x: x, x)


def by_where(needed, x):
    return jnp.where(needed, expensive(x), x)


no, all_no = jnp.array(False), jnp.zeros(8, bool)
versions = {
    "cond, not needed": (jax.jit(by_cond), no),
    "where, not needed": (jax.jit(by_where), no),
    "vmap of cond, 8 times not needed": (jax.jit(jax.vmap(by_cond, in_axes=(0, None))), all_no),
}
for name, (version, needed) in versions.items():
    print(f"{name:<33} {1e3 * median_seconds(partial(version, needed, numbers), 9):7.2f} ms")

# %% [markdown]
# The third line may surprise you: on a CPU, about eight times the price of `where`. Look at what
# `vmap` made of `cond`, in a smaller function. Colored lines appear in only one of the two
# programs:

# %% tags=["demo"]
from plnkit.plots import plot_jaxprs


def root_or_zero(x):
    return lax.cond(x > 0, jnp.sqrt, jnp.zeros_like, x)


alone = jax.make_jaxpr(root_or_zero)(jnp.float32(1))
many = jax.make_jaxpr(jax.vmap(root_or_zero))(jnp.ones(3))
plot_jaxprs(alone, many, titles=("alone", "under vmap"))

# %% [markdown]
# There is no `cond` left, and `sqrt` is computed for all rows. The rows may need different branches,
# and one program runs for all of them. So `vmap` computes both branches for every row and chooses
# with `select_n`: it is `where` again. (If the test is the *same* for all rows, not mapped over,
# `cond` stays `cond`.)
#
# The JAX documentation has more: [control
# flow](https://docs.jax.dev/en/latest/201/control-flow.html), and
# [`lax.cond`](https://docs.jax.dev/en/latest/_autosummary/jax.lax.cond.html).
#
# ## In your own words

# %% [markdown] question="why" points=2
# A fit contains `lax.cond(bad, expensive_repair, leave_alone, state)`, and one fit in a hundred is
# bad. You run 100 fits at once with `vmap`. What is computed, and why? Name one way to avoid paying
# for it. Two to four sentences.
#
# ### BEGIN SOLUTION
# **Model answer.** Under `vmap` the test is a vector: some of the fits need the expensive repair and
# some do not, so both branches are computed for all of them and `select_n` keeps one result for
# each. The cheap branch saves nothing; every fit pays for the repair. It would pay off to decide
# once for the whole batch (`lax.cond(jnp.any(bad), ...)` outside of `vmap`: nobody pays when no fit is
# bad), or to loop over the fits with `lax.map` or `lax.scan`, where each runs its own `cond`.
#
# **Grading notes.** 1 point: both branches are computed for all members, because one program serves
# members that differ (naming `select`/`where` is enough). 1 point: any working way out; "use a Python
# `if` outside of jit on the whole batch" counts as well, "put jit around vmap" does not.
# ### END SOLUTION
# ### BEGIN STARTER
# *Write your answer here.*
# ### END STARTER

# %% [markdown]
# ## Drills
#
# Three small repairs of two minutes each. They are practice: checked, but without points.
#
# **1.** `scale_down(x)` divides all of `x` by its largest value, if that is larger than 1. It
# fails.


# %% solution="scale_down"
### BEGIN SOLUTION
@jax.jit
def scale_down(x):
    return x / jnp.maximum(x.max(), 1)


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def scale_down(x):
#     if x.max() > 1:
#         return x / x.max()
#     return x
### END STARTER

# %% check="scale_down"
check("scale_down")

# %% [markdown]
# **2.** `clip_latent(z)` returns 1 for each entry above 1, -1 for each below -1, infinite ones too,
# and all others as they are. It fails.


# %% solution="clip_latent"
### BEGIN SOLUTION
@jax.jit
def clip_latent(z):
    return jnp.where(z > 1, 1.0, jnp.where(z < -1, -1.0, z))


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def clip_latent(z):
#     if z > 1:
#         return 1.0
#     if z < -1:
#         return -1.0
#     return z
### END STARTER

# %% check="clip_latent"
check("clip_latent")

# %% [markdown]
# **3.** `evenness(site)` returns the smallest count divided by the largest, and 0 for a site
# without counts. It fails.


# %% solution="evenness"
### BEGIN SOLUTION
@jax.jit
def evenness(site):
    return lax.cond(site.sum() > 0, lambda: site.min() / site.max(), lambda: 0.0)


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def evenness(site):
#     return lax.cond(site.sum() > 0, lambda: site.min() / site.max(), lambda: 0)
### END STARTER

# %% check="evenness"
check("evenness")
