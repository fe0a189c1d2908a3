# %% [markdown]
# # Zero counts: where NaN hides behind `where`
#
# **No NaN among the values, and 4554 in the gradient: one for each zero of the oaks' counts.**
#
# **You will learn** why `jnp.where` hides a NaN from you but not from the gradient, how to keep bad
# inputs out of a branch, and how to check a jitted result against two others. About 30 minutes.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check, outcome, predict
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

import jax
import jax.numpy as jnp
import numpy as np

from plnkit import load_oaks

counts = jnp.asarray(load_oaks().Y)
counts.shape

# %% tags=["demo"]
import matplotlib.pyplot as plt


@jax.jit
def y_log_y(y):
    return jnp.where(y == 0, 0.0, y * jnp.log(y))


values = y_log_y(counts)
slopes = jax.grad(lambda y: y_log_y(y).sum())(counts)
print("zeros:", int((counts == 0).sum()), "of", counts.size)
print("NaN among the values:", int(jnp.isnan(values).sum()))
print("NaN in the gradient: ", int(jnp.isnan(slopes).sum()))
plt.imshow(jnp.isnan(slopes), cmap="binary", interpolation="nearest")
plt.xlabel("species")
plt.ylabel("site: an oak leaf")
plt.title("black: the gradient is NaN")
plt.show()

# %% [markdown]
# The likelihood of a count $y$ contains $\log y!$, and a common way to compute it is Stirling's
# formula, $\frac12 \log(2 \pi y) + y \log y - y$. From $y = 1$ on, it is right to within 0.082. At
# $y = 0$ it has no finite value, although $\log 0! = \log 1 = 0$. The usual repair puts the right
# value where the formula fails, as `y_log_y` does. `jax.grad(f)` makes a function that computes the
# gradient of `f`: it follows the recorded operations backwards, from the result to the argument. A
# parameter that is fitted with a NaN in its gradient becomes NaN after one step, and stays NaN.
#
# ## See it fail
#
# `jax.debug_nans` makes JAX stop when a program returns a NaN:

# %% tags=["raises-exception"]
few = jnp.array([0.0, 1.0, 2.0, 500.0])
with jax.debug_nans(True):
    jax.grad(lambda y: y_log_y(y).sum())(few)

# %% [markdown]
# ```
# FloatingPointError: invalid value (nan) encountered in mul
# ```
#
# ## Why
#
# `jnp.where(test, a, b)` computes *both* `a` and `b`, everywhere, and then picks. Values that are
# not picked do no harm. The gradient goes the same way back. For elements that were not picked, a
# slope of 0 enters `b`, and is multiplied by the slopes inside `b`. One of them is that of the
# logarithm, $1/y$, which is infinite at $y = 0$, and
#
# $$0 \cdot \infty = \mathrm{NaN}.$$
#
# So it is too late to pick another *result*. The bad *input* must not enter the formula: replace it
# beforehand with any harmless number. What the formula makes of that number is not picked.
#
# **Predict before you run.** The square root has an infinite slope at 0, too. Below are three ways
# around it. Which one has a finite gradient at $y = 0$?

# %% tags=["demo"]
predict("the way with a finite gradient", ..., among=["where", "mask", "two wheres"])

# %% tags=["demo"]
ways = {
    "where": lambda y: jnp.where(y == 0, 0.0, jnp.sqrt(y)),
    "mask": lambda y: jnp.sqrt(y) * (y > 0),
    "two wheres": lambda y: jnp.where(y == 0, 0.0, jnp.sqrt(jnp.where(y == 0, 1.0, y))),
}
slopes = {name: jax.vmap(jax.grad(way))(few) for name, way in ways.items()}
for name, slope in slopes.items():
    print(f"{name:10}", "values", ways[name](few), " gradient", slope)
finite = [name for name, slope in slopes.items() if jnp.isfinite(slope).all()]
outcome("the way with a finite gradient", ", ".join(finite))

# %% [markdown]
# ## Your task
#
# `log_factorial(y)` below has the right values and a gradient with NaN. Its argument holds counts
# as floats: whole numbers, 0 or more. Between them, for instance where $0 < y < 1$, the result may
# be anything, and is not checked. Repair it so that
#
# * the values are $\log y!$, by Stirling's formula or better, and 0 at $y = 0$;
# * the gradient is right at $y = 1, 2, \dots$ (the slope of Stirling's formula, or one nearer to the
#   exact slope), and at $y = 0$ it is 0 or the exact slope, $-0.577$;
# * it stays one jitted function, pure, for arrays of any shape with at least one entry.


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
# The next cell draws your function at whole numbers, and the two curves that it may follow:
# Stirling's formula and the exact one, `gammaln(y + 1)`. They are far apart between 0 and 1, where
# there are no counts.

# %% tags=["demo"]
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
# The second `where` costs next to nothing, because XLA *fuses* it with the formula: one pass over
# the data computes both. `gammaln` needs no `where` and is exact, but takes longer.
#
# JAX also has `jax.scipy.special.xlogy(y, mu)`, which is $y \log \mu$, and 0 at $y = 0$. It helps
# with the term $y \log \mu$ of a likelihood. In Stirling's formula it does not help: the slope of
# $y \log y$ itself is infinite at 0.

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
# Your code may be right and the number still wrong. The next cell adds up Stirling's formula for
# all counts, with 1 in place of each 0. It does so in NumPy, and in a new process without this kit:
# once *eager* (without `jit`, one operation at a time), and once jitted.

# %% tags=["demo"]
import os
import subprocess
import sys

program = """
import sys
import jax, jax.numpy as jnp, numpy as np

def total(y):
    return jnp.sum(0.5 * jnp.log(2 * jnp.pi * y) + y * jnp.log(y) - y)

y = np.frombuffer(sys.stdin.buffer.read(), np.float32)
print(f"without the kit: eager {total(y):.0f}, jitted {jax.jit(total)(y):.0f}")
"""
y = np.maximum(np.asarray(counts), 1)
child = subprocess.run(
    [sys.executable, "-c", program],
    input=y.tobytes(),
    env={**os.environ, "JAX_PLATFORMS": "cpu", "XLA_FLAGS": ""},
    capture_output=True,
)
print(child.stdout.decode(), end="")
y = y.astype(np.float64)
print(f"NumPy, float64: {np.sum(0.5 * np.log(2 * np.pi * y) + y * np.log(y) - y):.0f}")

# %% [markdown]
# With jaxlib 0.10.2, the jitted number is 789622, without a message or a NaN. In this release and
# some later ones, the compiler gets some sums of 4096 or more numbers wrong on CPUs
# ([jax-ml/jax#39103](https://github.com/jax-ml/jax/issues/39103) reports another one). Where the
# installed release needs it, importing the kit sets
#
# ```
# XLA_FLAGS=--xla_cpu_experimental_ynn_fusion_type=
# ```
#
# before JAX starts, which switches the faulty part off. In programs without the kit, set it
# yourself.
#
# To take away:
#
# 1. Keep bad inputs out of a formula: a `where` before it, and one after it.
# 2. Look at the gradient at the edges of the data (zeros, single rows, empty columns), not only at
#    the values. Under `jit`, `jax.debug_nans(True)` stops at a NaN that the program returns; without
#    `jit`, even at one that a `where` would drop.
# 3. Once for each new function, compare three numbers: jitted, eager, and NumPy in float64.
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
# gradient with respect to `totals` must be 0 there too. It is NaN.


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
