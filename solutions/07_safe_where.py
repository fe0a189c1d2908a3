# %% [markdown]
# # Zero counts: where NaN hides behind `where`
#
# **You will learn** why `jnp.where` hides a NaN from you and not from the gradient, how to keep bad
# inputs out of a branch, and how to check a jitted result against two others. About 20 minutes.
#
# The data of this course are counts of 114 species of fungi and bacteria on 116 oak leaves. The
# likelihood of a count $y$ contains $\log y!$, and a common way to compute it is Stirling's
# formula, $\frac12 \log(2 \pi y) + y \log y - y$. From $y = 1$ on, it is right to within 0.082.
# At $y = 0$ it has no finite value, although $\log 0! = \log 1 = 0$. A third of the oaks' counts
# are zeros.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check, predict
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

import jax
import jax.numpy as jnp
import numpy as np

from plnkit import load_oaks

counts = jnp.asarray(load_oaks().Y)
print(counts.shape, "of which zero:", int((counts == 0).sum()))

# %% [markdown]
# ## See it fail
#
# The usual repair puts the right value where the formula fails. The values are fine, even at zero:


# %%
@jax.jit
def y_log_y(y):
    return jnp.where(y == 0, 0.0, y * jnp.log(y))


few = jnp.array([0.0, 1.0, 2.0, 500.0])
y_log_y(few)

# %% [markdown]
# Now the gradient. `jax.grad(f)` makes a function that computes the gradient of `f`: it follows
# the recorded operations backwards, from the result to the argument. `jax.debug_nans` makes JAX
# stop when a program returns a NaN:

# %% tags=["raises-exception"]
with jax.debug_nans(True):
    jax.grad(lambda y: y_log_y(y).sum())(few)

# %% [markdown]
# ```
# FloatingPointError: invalid value (nan) encountered in mul
# ```
#
# ## Why
#
# `jnp.where(test, a, b)` computes *both* `a` and `b`, everywhere, and then picks. Values that are not
# picked do no harm. The gradient goes the same way back. For elements that were not picked, it
# enters `b` with slope 0, and multiplies it by the slopes inside `b`. One of them is that of the
# logarithm, $1/y$, which is infinite at $y = 0$, and
#
# $$0 \cdot \infty = \mathrm{NaN}.$$
#
# It is too late to pick another *result*. The bad *input* must not enter the formula: replace it
# before, by any number that does no harm. What the formula makes of that number is not picked.
#
# **Predict before you run.** The square root has an infinite slope at 0, too. Below are three ways
# around it. Which gradients are finite at $y = 0$?

# %% tags=["demo"]
predict("the ways with finite gradients at 0", ...)

# %% tags=["demo"]
ways = {
    "where": lambda y: jnp.where(y == 0, 0.0, jnp.sqrt(y)),
    "mask": lambda y: jnp.sqrt(y) * (y > 0),
    "two wheres": lambda y: jnp.where(y == 0, 0.0, jnp.sqrt(jnp.where(y == 0, 1.0, y))),
}
for name, way in ways.items():
    slopes = jax.vmap(jax.grad(way))(few)
    print(f"{name:10}", "values", way(few), " gradient", slopes)

# %% [markdown]
# ## Your task
#
# `log_factorial(y)` below has the right values and a gradient with NaN. Repair it so that
#
# * the values are $\log y!$, by Stirling's formula or better, and 0 at $y = 0$;
# * the gradient is finite everywhere and right for $y \ge 1$; at 0, take 0 or the exact slope,
#   $-0.577$;
# * it stays one jitted function, pure, for arrays of any shape.


# %% solution="safe_where"
### BEGIN SOLUTION
@jax.jit
def log_factorial(y):
    zero = y == 0
    safe = jnp.where(zero, 1.0, y)
    stirling = 0.5 * jnp.log(2 * jnp.pi * safe) + safe * jnp.log(safe) - safe
    return jnp.where(zero, 0.0, stirling)


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def log_factorial(y):
#     zero = y == 0
#     stirling = 0.5 * jnp.log(2 * jnp.pi * y) + y * jnp.log(y) - y
#     return jnp.where(zero, 0.0, stirling)
### END STARTER

# %% [markdown]
# Run the check as often as you like.

# %% check="safe_where"
check("safe_where")

# %% [markdown]
# Your function at the counts, and the two curves that it may follow: Stirling's formula and the
# exact one, `gammaln(y + 1)`. Between 0 and 1 they are far apart.

# %% tags=["demo"]
import matplotlib.pyplot as plt
from jax.scipy.special import gammaln

y = jnp.linspace(0.02, 6, 300)
whole = jnp.arange(7.0)
plt.plot(y, 0.5 * jnp.log(2 * jnp.pi * y) + y * jnp.log(y) - y, label="Stirling")
plt.plot(y, gammaln(y + 1), label="exact")
plt.plot(whole, log_factorial(whole), "o", label="log_factorial")
plt.xlabel("count")
plt.ylabel("log y!")
plt.legend()
slopes = jax.grad(lambda y: log_factorial(y).sum())(counts)
print("NaN in the gradient at the oaks' counts:", int(jnp.isnan(slopes).sum()))

# %% [markdown]
# ## What did it cost?
#
# The second `where` costs next to nothing, because XLA fuses it with the formula. `gammaln` needs no
# `where` and is exact, but takes longer.
#
# JAX also has `jax.scipy.special.xlogy(y, mu)`, which is $y \log \mu$, and 0 at $y = 0$. While
# $\mu > 0$, plain `y * jnp.log(mu)` needs no `where` either. `xlogy` is right at $\mu = 0$ too,
# if $y = 0$, but its gradient in $\mu$ is NaN there. In Stirling's formula you need one: the
# slope of $y \log y$ itself is infinite at 0.

# %% tags=["demo"]
from plnkit.machine import median_seconds

one_where = jax.jit(lambda y: jnp.where(y == 0, 0.0, 0.5 * jnp.log(y) + y * jnp.log(y) - y))
exact = jax.jit(lambda y: gammaln(y + 1))
print(f"one where:     {1e3 * median_seconds(lambda: one_where(counts), 20):6.3f} ms")
print(f"log_factorial: {1e3 * median_seconds(lambda: log_factorial(counts), 20):6.3f} ms")
print(f"gammaln:       {1e3 * median_seconds(lambda: exact(counts), 20):6.3f} ms")

# %% [markdown]
# ### Jit against eager
#
# Your code may be right and the number still wrong. The tutorial that this course grew from computes
# Stirling's formula as below. With jaxlib 0.10.2 on a CPU, the sum over the oaks was 1285968 without
# jit, and 1113767 *with* it: a bug of the compiler, with no message and no NaN.
# Importing the kit sets an option of the compiler that avoids this, so here all three numbers agree,
# except for rounding:


# %% tags=["demo"]
def tutorial_sum(y):
    y = y + (y == 0)
    return jnp.sum(jnp.log(jnp.sqrt(2 * jnp.pi * y)) + y * jnp.log(y / jnp.exp(1)))


in_numpy = np.asarray(counts, np.float64)
in_numpy = np.where(in_numpy == 0, 1, in_numpy)
in_numpy = np.sum(0.5 * np.log(2 * np.pi * in_numpy) + in_numpy * np.log(in_numpy / np.e))
print(f"jitted {jax.jit(tutorial_sum)(counts):.0f}, eager {tutorial_sum(counts):.0f}")
print(f"NumPy in float64 {in_numpy:.0f}")

# %% [markdown]
# Two habits to take away:
#
# 1. Look at the gradient at the edges of the data (zeros, single rows, empty columns), not only
#    at the values. `jax.debug_nans(True)` stops at a NaN: under jit only at one that the program
#    returns, without jit even at one that a `where` would drop.
# 2. Once for each new function, compare three numbers: jitted, eager, and NumPy in float64.
#
# The JAX documentation has more: [gradients contain NaN where using
# `where`](https://docs.jax.dev/en/latest/faq.html#gradients-contain-nan-where-using-where), and
# [`jax.grad`](https://docs.jax.dev/en/latest/_autosummary/jax.grad.html).

# %% [markdown]
# ## Drills
#
# Three small repairs of two minutes each. They are practice: checked, but without points.
#
# **1.** `root_or_zero(z)` returns the square root of each positive entry, and 0 for the others. Its
# gradient must be 0 there too. It is NaN.


# %% solution="root_or_zero"
### BEGIN SOLUTION
@jax.jit
def root_or_zero(z):
    chosen = z > 0
    return jnp.where(chosen, jnp.sqrt(jnp.where(chosen, z, 1.0)), 0.0)


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def root_or_zero(z):
#     return jnp.where(z > 0, jnp.sqrt(z), 0.0)
### END STARTER

# %% check="root_or_zero"
check("root_or_zero")

# %% [markdown]
# **2.** `share_of(counts, totals)` returns `counts / totals`, and 0 where the total is 0. The
# gradient in `totals` must be 0 there too. It is NaN.


# %% solution="share_of"
### BEGIN SOLUTION
@jax.jit
def share_of(counts, totals):
    safe = jnp.where(totals > 0, totals, 1.0)
    return jnp.where(totals > 0, counts / safe, 0.0)


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def share_of(counts, totals):
#     return jnp.where(totals > 0, counts / totals, 0.0)
### END STARTER

# %% check="share_of"
check("share_of")

# %% [markdown]
# **3.** `row_lengths(M)` returns the length of each row, the root of its sum of squares. A PLN fit
# begins with rows of zeros: their gradient must be 0. It is NaN.


# %% solution="row_lengths"
### BEGIN SOLUTION
@jax.jit
def row_lengths(M):
    squares = jnp.sum(M**2, axis=1)
    safe = jnp.where(squares > 0, squares, 1.0)
    return jnp.where(squares > 0, jnp.sqrt(safe), 0.0)


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def row_lengths(M):
#     return jnp.sqrt(jnp.sum(M**2, axis=1))
### END STARTER

# %% check="row_lengths"
check("row_lengths")
