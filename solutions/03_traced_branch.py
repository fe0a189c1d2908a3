# %% [markdown]
# # A branch on data: cond, where, select, switch
#
# **One formula, 114 species: right for 94 of them, wrong for the other 20.**
#
# **You will learn** to branch on a value that comes out of the data, with one compilation for all
# values, and what each way of branching costs. About 35 minutes.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check, outcome, predict
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

import jax
import jax.numpy as jnp
from jax import lax

from plnkit import load_oaks

counts = jnp.asarray(load_oaks().Y)
counts.shape

# %% tags=["demo"]
import matplotlib.pyplot as plt

mean, variance = counts[:5].mean(axis=0), counts[:5].var(axis=0)
estimate = jnp.log(1 + (variance - mean) / mean**2)
wrong = ~(estimate > 0)  # negative, or NaN

plt.figure(figsize=(5, 4))
plt.plot(mean[~wrong], variance[~wrong], "o", label="variance above the mean")
plt.plot(mean[wrong], variance[wrong], "s", color="C1", label="not above")
plt.axline((1, 1), slope=1, color="k", linewidth=1)
plt.xscale("symlog", linthresh=0.1)
plt.yscale("symlog", linthresh=0.1)
plt.xlabel("mean count of a species at five sites")
plt.ylabel("variance")
plt.legend()
print(int(wrong.sum()), "of", wrong.size, "species: negative or NaN")

# %% [markdown]
# Counts of a species vary more than the Poisson law allows. The "LN" in PLN (Poisson-lognormal),
# the model that this course fits later, stands for that extra spread. If a species has mean $m$ and
# variance $v$, the lognormal part has variance $\log(1 + (v - m)/m^2)$, the formula above. It holds
# only if $v > m$. Otherwise the estimate is 0. That is an `if` again, and here a static argument
# does not help.
#
# ## See it fail


# %% tags=["raises-exception"]
@jax.jit
def spread(x):
    if x.var() > x.mean():
        return x.var() / x.mean()
    return 1.0


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
# `x` is an array of data, so it cannot be static, and which branch to take is known only when the
# program *runs*. So the program itself has to hold both branches, and choose. JAX has several ways
# to write that:
#
# | | chooses | computes |
# | --- | --- | --- |
# | `jnp.where(test, a, b)` | element by element | both `a` and `b`, always |
# | `lax.select(test, a, b)` | the same; shapes and dtypes must agree exactly | both |
# | `jnp.select([test_1, test_2], [a, b], c)` | element by element, the first test that is true | all |
# | `lax.cond(test, f, g, *args)` | one branch for a scalar `test` | `f(*args)` or `g(*args)` |
# | `lax.switch(i, [f, g, h], *args)` | one of several, by an integer | the one chosen |
# | `jnp.piecewise(x, [test_1, test_2], [f, g, h])` | element by element, the *last* test that is true | all, but only the one chosen for a scalar `x` |
#
# `cond` and `switch` take *functions*, and all of them must return the same structure, shapes and
# dtypes, because the rest of the program is compiled before the branch is chosen.
#
# **Predict before you run.** Each of the three branches below prints when Python runs it. There are
# four calls, with the indices 0, 2, 0 and 0. How many lines will say `Python runs`?

# %% tags=["demo"]
predict("lines that say `Python runs`", ...)

# %% tags=["demo"]
lines = []


def loud(name, factor):
    def branch(x):
        print("Python runs branch", name)
        lines.append(name)
        return factor * x

    return branch


@jax.jit
def scale(index, x):
    return lax.switch(index, [loud("zero", 0.0), loud("one", 1.0), loud("two", 2.0)], x)


for index in (0, 2, 0, 0):
    print("result", scale(jnp.int32(index), jnp.float32(7.0)))
outcome("lines that say `Python runs`", len(lines))

# %% [markdown]
# Every branch was traced once, at the first call, even the one that is never taken. After that,
# Python does not run them: the compiled program looks at the index and chooses.
#
# ## Your task
#
# **First**, `latent_variance(counts)` computes the estimate above for one species, a vector of
# counts. Repair it so that
#
# * it is right for every vector of at least one count: also if all counts are zero, or if the
#   vector has one entry (its variance is 0, so the estimate is 0);
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

# %% tags=["demo"]
try:
    estimates = [float(latent_variance(species)) for species in counts[:5].T]
    print(estimates.count(0.0), "of", len(estimates), "species: 0, by the same program")
except jax.errors.TracerBoolConversionError:
    print("Repair latent_variance first, then run this cell again.")

# %% [markdown]
# **Second**, repair `transform(counts, kind)`, so that one program serves all three kinds. `kind`
# is a JAX integer that comes out of another computation, so it cannot be static. It is 0 (logarithm
# of the count plus 1), 1 (square root) or 2 (present or absent: 1.0 or 0.0).


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
# line. A `cond` shows its branches, indented. A `where` has none: both results are computed, and
# `select_n` picks.
#
# ## What did it cost?
#
# One compilation, whatever the data are. That is the gain over static arguments. When the program
# runs, `cond` computes only the chosen branch, and `where` computes both. An expensive branch that
# is not needed shows the difference:

# %% tags=["demo"]
from plnkit.machine import median_seconds

numbers, needed = jnp.linspace(0.0, 1.0, 100_000), jnp.array(False)


def expensive(x):
    for _ in range(20):
        x = jnp.cos(x)
    return x


by_cond = jax.jit(lambda needed, x: lax.cond(needed, expensive, lambda x: x, x))
by_where = jax.jit(lambda needed, x: jnp.where(needed, expensive(x), x))
print(f"cond:  {1e3 * median_seconds(lambda: by_cond(needed, numbers), 9):7.2f} ms")
print(f"where: {1e3 * median_seconds(lambda: by_where(needed, numbers), 9):7.2f} ms")

# %% [markdown]
# To take away:
#
# 1. A branch on data is part of the program: all branches are traced, and one program serves all
#    values.
# 2. `where` chooses for each entry and computes both sides. `cond` and `switch` choose once and
#    compute one side.
# 3. All branches must return the same structure, shapes and dtypes.
#
# The JAX documentation has more: [control
# flow](https://docs.jax.dev/en/latest/201/control-flow.html), and
# [`lax.cond`](https://docs.jax.dev/en/latest/_autosummary/jax.lax.cond.html).
#
# ## In your own words

# %% [markdown] question="why" points=2
# Three functions need a branch: (a) on `verbose`, which is True or False for a whole run; (b) on each
# entry of a table, to replace those below a limit; (c) on one number, to do an expensive repair that
# one step in a hundred needs. For each, say whether you would use a static argument, `jnp.where` or
# `lax.cond`, and why. One sentence each.
#
# ### BEGIN SOLUTION
# **Model answer.** (a) A static argument: a setting with two values costs at most two compilations,
# and each program holds only its branch. (b) `jnp.where`: each entry needs a choice of its own, and
# both sides are cheap. (c) `lax.cond`: the choice is on data, one for the whole step, and the
# expensive branch is computed only when it is chosen, while `where` would compute it at every step.
#
# **Grading notes.** 1 point for two right choices, 2 points for all three with a reason for each.
# `lax.cond` in (a) is right too if the answer says that it makes one program instead of two;
# `jnp.piecewise` or `jnp.clip` in (b) is right; a static argument in (c) is wrong.
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
# **2.** `clip_latent(z)` returns `z` with 1 in place of each entry above 1, and -1 in place of each
# below -1, infinite ones included. It fails.


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
