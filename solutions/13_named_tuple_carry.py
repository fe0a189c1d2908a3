# %% [markdown]
# # A model in one container: NamedTuple
#
# **You will learn** to carry a whole model through a scan as a `NamedTuple`, to make a changed copy
# of one (`_replace`), and why a size that is used as a shape must not be one of its fields. About 30
# minutes.
#
# Parameters, data, `Omega`: functions with six arguments are tedious. You want one object, `pln`,
# that holds everything, and `pln.M` to reach a part of it. JAX does not know your classes. But it
# knows how to take tuples apart, and a `NamedTuple` is a tuple.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check, predict
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import optax
from jax.scipy.special import gammaln

from plnkit import load_oaks

oaks = load_oaks()
counts, offsets, covariates = jnp.asarray(oaks.Y), jnp.asarray(oaks.O), jnp.asarray(oaks.X)
counts.shape

# %% [markdown]
# ## See it fail
#
# A small container first: counts, their number of columns, and the mean of each.


# %%
class Table(NamedTuple):
    Y: jax.Array
    p: int
    means: jax.Array


table = Table(counts, counts.shape[1], jnp.zeros(counts.shape[1]))

# %% tags=["raises-exception"]
table.means = counts.mean(axis=0)

# %% [markdown]
# ```
# AttributeError: can't set attribute
# ```
#
# A tuple does not change, and neither do JAX's arrays. `_replace` makes a new one, with some fields
# replaced. The others are the same arrays as before, and nothing is copied.

# %%
filled = table._replace(means=counts.mean(axis=0))
print("before:", table.means[:3], " after:", filled.means[:3])


# %%
@jax.jit
def correlations(table):
    centred = table.Y - table.means
    cross = centred.T @ centred + jnp.eye(table.p)
    return cross / jnp.sqrt(jnp.outer(jnp.diag(cross), jnp.diag(cross)))


# %% tags=["raises-exception"]
correlations(filled)

# %% [markdown]
# ```
# TypeError: Shapes must be 1D sequences of concrete values of integer type, got
# (JitTracer(~int32[]),). argument of 'N' jnp.eye().
# ```
#
# ## Why
#
# `p` was a plain integer when the tuple was made. But for JAX a container only holds many arguments
# in one. It takes the container apart into its *leaves*, traces each, and puts tracers into a
# container of the same kind. (JAX calls such containers **pytrees**: tuples, lists, dictionaries,
# NamedTuples.) An integer is a leaf like any other. `scan` does the same with what it carries. So
# inside, `table.p` stands for any integer. You can compute with it, divide by it, say. But you cannot
# make an array of that size.
#
# Yet the size is there, in the shape of the arrays, which is always known.
#
# **Predict before you run.** Which of these lines show a number, and which a tracer?

# %% tags=["demo"]
predict("the lines that show a number", ...)


# %% tags=["demo"]
@jax.jit
def look(table):
    print("table.p:         ", table.p)
    print("table.Y.shape[1]:", table.Y.shape[1])
    print("table.means.size:", table.means.size)
    print("table.means[0]:  ", table.means[0])
    return table.Y.sum()


look(filled)

# %% [markdown]
# ## Your task
#
# Here is the PLN model of the last lessons, now as a function of the parameters that the
# optimizer changes, `free = (B, M, log_S)`, and of the container, from which it takes Y, O, X and
# Omega.


# %%
def elbo(free, pln):
    B, M, log_S = free
    n, p = pln.Y.shape
    eta = pln.O + pln.X @ B + M
    S2 = jnp.exp(2 * log_S)
    entries = pln.Y * eta - jnp.exp(eta + S2 / 2) + log_S - gammaln(pln.Y + 1)
    R = M.T @ M + jnp.diag(S2.sum(axis=0))
    log_det = jnp.linalg.slogdet(pln.Omega)[1]
    return entries.sum() + n / 2 * (p + log_det) - jnp.sum(R * pln.Omega) / 2


def loss(free, pln):
    return -elbo(free, pln)


optimizer = optax.adam(0.2)

# %% [markdown]
# The container and the fit below fail with both errors, one after the other. Repair them so that
#
# * `fit` returns the `PLN` after the last iteration, with its fields `B`, `M`, `log_S` and `Omega`,
#   and the ELBO before each iteration;
# * `PLN` stays a NamedTuple; which other fields it has is your choice;
# * `fit` stays one jitted function, pure, compiled once for each size and number of iterations, and
#   its program does not grow with the number of iterations.


# %% solution="named_tuple_carry"
### BEGIN SOLUTION
class PLN(NamedTuple):
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array


def begin(Y, O, X):
    (n, p), d = Y.shape, X.shape[1]
    zeros = jnp.zeros((n, p))
    return PLN(Y, O, X, B=jnp.zeros((d, p)), M=zeros, log_S=zeros, Omega=jnp.eye(p))


def best_Omega(pln):
    n, p = pln.Y.shape
    Sigma = (pln.M.T @ pln.M + jnp.diag(jnp.exp(2 * pln.log_S).sum(axis=0))) / n
    return jnp.linalg.solve(Sigma, jnp.eye(p))


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    def body(carry, _):
        pln, state = carry
        free = pln.B, pln.M, pln.log_S
        value, gradient = jax.value_and_grad(loss)(free, pln)
        updates, state = optimizer.update(gradient, state)
        B, M, log_S = optax.apply_updates(free, updates)
        pln = pln._replace(B=B, M=M, log_S=log_S)
        pln = pln._replace(Omega=best_Omega(pln))
        return (pln, state), -value

    pln = begin(Y, O, X)
    carry = pln, optimizer.init((pln.B, pln.M, pln.log_S))
    (pln, _), elbos = jax.lax.scan(body, carry, length=n_iterations)
    return pln, elbos


### END SOLUTION
### BEGIN STARTER
# class PLN(NamedTuple):
#     Y: jax.Array
#     O: jax.Array
#     X: jax.Array
#     n: int
#     p: int
#     B: jax.Array
#     M: jax.Array
#     log_S: jax.Array
#     Omega: jax.Array
#
#
# def begin(Y, O, X):
#     (n, p), d = Y.shape, X.shape[1]
#     zeros = jnp.zeros((n, p))
#     return PLN(Y, O, X, n, p, B=jnp.zeros((d, p)), M=zeros, log_S=zeros, Omega=jnp.eye(p))
#
#
# def best_Omega(pln):
#     Sigma = (pln.M.T @ pln.M + jnp.diag(jnp.exp(2 * pln.log_S).sum(axis=0))) / pln.n
#     return jnp.linalg.solve(Sigma, jnp.eye(pln.p))
#
#
# @partial(jax.jit, static_argnames="n_iterations")
# def fit(Y, O, X, n_iterations):
#     def body(carry, _):
#         pln, state = carry
#         free = pln.B, pln.M, pln.log_S
#         value, gradient = jax.value_and_grad(loss)(free, pln)
#         updates, state = optimizer.update(gradient, state)
#         pln.B, pln.M, pln.log_S = optax.apply_updates(free, updates)
#         pln.Omega = best_Omega(pln)
#         return (pln, state), -value
#
#     pln = begin(Y, O, X)
#     carry = pln, optimizer.init((pln.B, pln.M, pln.log_S))
#     (pln, _), elbos = jax.lax.scan(body, carry, length=n_iterations)
#     return pln, elbos
### END STARTER

# %% [markdown]
# Run the check as often as you like.

# %% check="named_tuple_carry"
check("named_tuple_carry")

# %% [markdown]
# Once it passes: which taxa of the oaks occur together? The figure shows the correlations between the
# columns of `M`, the latent positions. Taxa are in the order of the table, 66 bacteria first and 48
# fungi after them.

# %% tags=["demo"]
import matplotlib.pyplot as plt

try:
    pln, elbos = fit(counts, offsets, covariates, 200)
    plt.matshow(jnp.corrcoef(pln.M, rowvar=False), cmap="RdBu_r", vmin=-1, vmax=1)
    plt.colorbar(label="latent correlation")
except (AttributeError, TypeError):
    print("Repair PLN and fit first, then run this cell again.")

# %% [markdown]
# ## What did it cost?
#
# Nothing. JAX takes the container apart before it compiles. The program has one argument for each
# leaf that it uses, and knows no containers. The next cell compares the *programs* of one
# function, once with a NamedTuple and once with plain arguments.


# %% tags=["demo"]
def total_of_table(table):
    return (table.Y - table.means).sum()


def total_of_arrays(Y, p, means):
    return (Y - means).sum()


def operations(lowered):
    return [line.split("loc(")[0] for line in lowered.as_text().splitlines()[1:]]


print(jax.tree.map(jnp.shape, filled))
packed = operations(jax.jit(total_of_table).lower(filled))
plain = operations(jax.jit(total_of_arrays).lower(*filled))
print(len(packed), "lines of program with the container,", len(plain), "without; equal:", end=" ")
print([line.replace("table_", "") for line in packed[1:]] == plain[1:])

# %% [markdown]
# It can cost a compilation: containers with other fields, or with `None` in place of an array, have
# another structure, and each structure is a program of its own.
#
# To take away:
#
# 1. jit, vmap and the carry of a scan take a NamedTuple as they take an array. So does grad, if
#    all its fields are floats.
# 2. `pln = pln._replace(...)`: make a new one, and keep it.
# 3. Its fields are leaves, and leaves are traced. Take sizes from shapes. For a field that must stay
#    a plain value, a flag or a name, you need the next lesson.
#
# The JAX documentation has more: [pytrees](https://docs.jax.dev/en/latest/101/pytrees.html).

# %% [markdown]
# ## Drills
#
# Three small repairs of two minutes each. They are practice: checked, but without points.
#
# **1.** `tally_up(x)` returns the sum of `x`, and the sum of its positive entries. Both are 0.


# %% solution="tally_up"
### BEGIN SOLUTION
class Tally(NamedTuple):
    total: jax.Array
    positive: jax.Array


@jax.jit
def tally_up(x):
    def body(tally, one):
        total, positive = tally.total + one, tally.positive + jnp.maximum(one, 0)
        return tally._replace(total=total, positive=positive), None

    tally, _ = jax.lax.scan(body, Tally(jnp.zeros(()), jnp.zeros(())), x)
    return tally.total, tally.positive


### END SOLUTION
### BEGIN STARTER
# class Tally(NamedTuple):
#     total: jax.Array
#     positive: jax.Array
#
#
# @jax.jit
# def tally_up(x):
#     def body(tally, one):
#         tally._replace(total=tally.total + one, positive=tally.positive + jnp.maximum(one, 0))
#         return tally, None
#
#     tally, _ = jax.lax.scan(body, Tally(jnp.zeros(()), jnp.zeros(())), x)
#     return tally.total, tally.positive
### END STARTER

# %% check="tally_up"
check("tally_up")

# %% [markdown]
# **2.** `moments(x)` returns the sum of `x` and the sum of its squares. It fails.


# %% solution="moments"
### BEGIN SOLUTION
class Moments(NamedTuple):
    total: jax.Array
    squares: jax.Array


@jax.jit
def moments(x):
    def body(seen, one):
        return Moments(seen.total + one, seen.squares + one**2), None

    seen, _ = jax.lax.scan(body, Moments(jnp.zeros(()), jnp.zeros(())), x)
    return seen.total, seen.squares


### END SOLUTION
### BEGIN STARTER
# class Moments(NamedTuple):
#     total: jax.Array
#     squares: jax.Array
#
#
# @jax.jit
# def moments(x):
#     def body(seen, one):
#         return (seen.total + one, seen.squares + one**2), None
#
#     seen, _ = jax.lax.scan(body, Moments(jnp.zeros(()), jnp.zeros(())), x)
#     return seen.total, seen.squares
### END STARTER

# %% check="moments"
check("moments")

# %% [markdown]
# **3.** `centre_taxa(Y)` subtracts the mean of each taxon. It fails.


# %% solution="centre_taxa"
### BEGIN SOLUTION
class Sites(NamedTuple):
    Y: jax.Array


@jax.jit
def centre(sites):
    n = sites.Y.shape[0]
    return sites.Y - jnp.ones((n, 1)) * sites.Y.sum(axis=0) / n


def centre_taxa(Y):
    return centre(Sites(Y))


### END SOLUTION
### BEGIN STARTER
# class Sites(NamedTuple):
#     Y: jax.Array
#     n: int
#
#
# @jax.jit
# def centre(sites):
#     return sites.Y - jnp.ones((sites.n, 1)) * sites.Y.sum(axis=0) / sites.n
#
#
# def centre_taxa(Y):
#     return centre(Sites(Y, Y.shape[0]))
### END STARTER

# %% check="centre_taxa"
check("centre_taxa")

# %% [markdown]
# ## Stretch goal: under 128 KiB of scratch
#
# `settle(target, steps)` returns the state after the last step. Its scan keeps the state of every
# step, more than 2 MB for 400. Write it with **less than 128 KiB of scratch memory**.


# %% solution="settle"
### BEGIN SOLUTION
class Fit(NamedTuple):
    M: jax.Array


@partial(jax.jit, static_argnames="steps")
def settle_by_scan(target, steps):
    def body(fit, _):
        return fit._replace(M=fit.M + 0.1 * (target - fit.M)), None

    return jax.lax.scan(body, Fit(jnp.zeros_like(target)), length=steps)[0].M


def settle(target, steps):
    return settle_by_scan(target, steps)


### END SOLUTION
### BEGIN STARTER
# class Fit(NamedTuple):
#     M: jax.Array
#
#
# @partial(jax.jit, static_argnames="steps")
# def settle_by_scan(target, steps):
#     def body(fit, _):
#         fit = fit._replace(M=fit.M + 0.1 * (target - fit.M))
#         return fit, fit
#
#     _, fits = jax.lax.scan(body, Fit(jnp.zeros_like(target)), length=steps)
#     return fits.M[-1]
#
#
# def settle(target, steps):
#     return settle_by_scan(target, steps)
### END STARTER

# %% check="settle"
check("settle")
