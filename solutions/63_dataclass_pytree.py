# %% [markdown]
# # A class of your own: dataclasses as pytrees
#
# **You will learn** to make JAX understand a dataclass, which of its fields may be *static*, and why
# an array never is. About 30 minutes.
#
# In the last lesson a NamedTuple held the model, and all its fields are traced. But a model also has
# *settings*. Is its covariance full or diagonal? That is a word, not a number, and it decides which
# program to compile.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check, predict
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

from dataclasses import dataclass, field, replace
from functools import partial

import jax
import jax.numpy as jnp
import optax
from jax.scipy.special import gammaln
from jax.tree_util import register_dataclass

from plnkit import load_oaks

oaks = load_oaks()
counts, offsets, covariates = jnp.asarray(oaks.Y), jnp.asarray(oaks.O), jnp.asarray(oaks.X)
counts.shape

# %% [markdown]
# ## See it fail
#
# A small class first: counts, and the scale on which to look at them.


# %%
@dataclass(frozen=True)
class View:
    Y: jax.Array
    scale: str


@jax.jit
def largest_count(view):
    if view.scale == "log":
        return jnp.log1p(view.Y).max()
    return view.Y.max()


# %% tags=["raises-exception"]
largest_count(View(counts, "log"))

# %% [markdown]
# ```
# TypeError: Error interpreting argument to ... as an abstract array. The problematic value is of type
# <class '__main__.View'> and was passed to the function at path view.
# ```
#
# JAX does not look into objects that it does not know. `register_dataclass` tells it how to take one
# apart: `data_fields` are traced. What are `meta_fields`? Leave them empty for now.


# %%
class RegisteredView(View):
    pass


register_dataclass(RegisteredView, data_fields=["Y", "scale"], meta_fields=[])

# %% tags=["raises-exception"]
largest_count(RegisteredView(counts, "log"))

# %% [markdown]
# ```
# TypeError: Error interpreting argument to ... as an abstract array. The problematic value is of type
# <class 'str'> and was passed to the function at path view.scale.
# ```
#
# ## Why
#
# Whatever goes into a jitted function is taken apart into *leaves*, which are traced, and a
# *structure*: which class, which fields. A word cannot be traced. It belongs to the structure, as a
# **static** field, and `meta_fields` are just that. jit compares structures as it compares static
# arguments, by `==` and `hash`: another word is another program.
#
# The fields of a frozen dataclass cannot be assigned. `dataclasses.replace(view, Y=...)` makes a
# changed copy, as `_replace` does.
#
# **Predict before you run.** How many times does the next cell print `tracing`?

# %% tags=["demo"]
predict("how many times it prints `tracing`", ...)


# %% tags=["demo"]
class StaticView(View):
    pass


register_dataclass(StaticView, data_fields=["Y"], meta_fields=["scale"])


@jax.jit
def loud_largest(view):
    print("tracing for scale =", view.scale)
    return largest_count.__wrapped__(view)


view = StaticView(counts, "log")
for each in (view, replace(view, Y=2 * counts), replace(view, scale="counts"), view):
    loud_largest(each)
print(jax.tree.structure(view))

# %% [markdown]
# Since static fields make errors about tracers go away, it is tempting to make *all* fields static.
# The next cell does it, with `register_dataclass` as a decorator. The first call works, which makes
# this mistake hard to find.


# %% tags=["demo"]
@register_dataclass
@dataclass(frozen=True)
class AllStatic:
    Y: jax.Array = field(metadata={"static": True})
    scale: str = field(metadata={"static": True})


print("leaves:", jax.tree.leaves(AllStatic(counts, "log")))
for Y in (counts, 2 * counts):
    try:
        print(largest_count(AllStatic(Y, "log")))
    except (TypeError, ValueError) as error:
        print(type(error).__name__, "-", str(error).splitlines()[0])

# %% [markdown]
# To find out whether it has a program for this structure, jit asks whether two arrays are equal, and
# `==` of two arrays is not True or False but an array. At the first call there is nothing to compare,
# and the counts become constants of the program. And `grad` of a model without leaves has nothing to
# differentiate.
#
# ## Your task
#
# The model again. `rate` is the optimizer's learning rate. It is data, so that another rate
# compiles nothing.


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


def best_Omega(pln):
    Sigma = (pln.M.T @ pln.M + jnp.diag(jnp.exp(2 * pln.log_S).sum(axis=0))) / pln.M.shape[0]
    if pln.covariance == "diagonal":
        return jnp.diag(1 / jnp.diag(Sigma))
    return jnp.linalg.inv(Sigma)


# %% [markdown]
# `PLN` below is a class that JAX does not know, and `fit` assigns its fields. Repair both, so that
#
# * `PLN` is made as before, `PLN(Y=..., O=..., X=..., B=..., M=..., log_S=..., Omega=..., rate=...,
#   covariance="full")`, or `"diagonal"`;
# * `fit(pln, n_iterations)` works for both, returns the fitted `PLN` and the ELBO before each
#   iteration, and stays one jitted function;
# * it is compiled once for each size and each kind of covariance, and not again for other data or
#   another rate.


# %% solution="dataclass_pytree"
### BEGIN SOLUTION
@register_dataclass
@dataclass(frozen=True)
class PLN:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array
    rate: jax.Array
    covariance: str = field(metadata={"static": True})


@partial(jax.jit, static_argnames="n_iterations")
def fit(pln, n_iterations):
    optimizer = optax.adam(pln.rate)

    def body(carry, _):
        pln, state = carry
        free = pln.B, pln.M, pln.log_S
        value, gradient = jax.value_and_grad(loss)(free, pln)
        updates, state = optimizer.update(gradient, state)
        B, M, log_S = optax.apply_updates(free, updates)
        pln = replace(pln, B=B, M=M, log_S=log_S)
        pln = replace(pln, Omega=best_Omega(pln))
        return (pln, state), -value

    carry = pln, optimizer.init((pln.B, pln.M, pln.log_S))
    (pln, _), elbos = jax.lax.scan(body, carry, length=n_iterations)
    return pln, elbos


### END SOLUTION
### BEGIN STARTER
# @dataclass(frozen=True)
# class PLN:
#     Y: jax.Array
#     O: jax.Array
#     X: jax.Array
#     B: jax.Array
#     M: jax.Array
#     log_S: jax.Array
#     Omega: jax.Array
#     rate: jax.Array
#     covariance: str
#
#
# @partial(jax.jit, static_argnames="n_iterations")
# def fit(pln, n_iterations):
#     optimizer = optax.adam(pln.rate)
#
#     def body(carry, _):
#         pln, state = carry
#         free = pln.B, pln.M, pln.log_S
#         value, gradient = jax.value_and_grad(loss)(free, pln)
#         updates, state = optimizer.update(gradient, state)
#         pln.B, pln.M, pln.log_S = optax.apply_updates(free, updates)
#         pln.Omega = best_Omega(pln)
#         return (pln, state), -value
#
#     carry = pln, optimizer.init((pln.B, pln.M, pln.log_S))
#     (pln, _), elbos = jax.lax.scan(body, carry, length=n_iterations)
#     return pln, elbos
### END STARTER

# %% [markdown]
# Run the check as often as you like.

# %% check="dataclass_pytree"
check("dataclass_pytree")

# %% [markdown]
# Once it passes, compare the two models on the oaks. Does it pay to let taxa depend on each other?
# (Neither fit has converged after 200 iterations, but their order does not change any more.)

# %% tags=["demo"]
import matplotlib.pyplot as plt


def oaks_model(covariance, rate=0.2):
    (n, p), d = counts.shape, covariates.shape[1]
    start = {"B": jnp.zeros((d, p)), "M": jnp.zeros((n, p)), "log_S": jnp.zeros((n, p))}
    data = {"Y": counts, "O": offsets, "X": covariates}
    rate = jnp.float32(rate)
    return PLN(**data, **start, Omega=jnp.eye(p), rate=rate, covariance=covariance)


try:
    for covariance in ("full", "diagonal"):
        fitted, elbos = fit(oaks_model(covariance), 200)
        plt.semilogy(-elbos, label=covariance)
        print(f"{covariance:8}: {elbos[-1]:.0f} nats after 200 iterations")
    plt.xlabel("iteration")
    plt.ylabel("- ELBO (nats)")
    plt.legend()
except TypeError:
    print("Repair PLN first, then run this cell again.")

# %% [markdown]
# ## In your own words
#
# A colleague marks `Y` as a static field, "because the data never change during a fit". Say in two
# or three sentences what jit does with a static field, and two things that go wrong with this one.

# %% [markdown] question="why" points=2
# ### BEGIN SOLUTION
# A static field is part of the structure of the argument, and with it of the key by which jit finds
# its program: it is compared and hashed at each call, and its value is a constant of the program.
# `==` of two arrays is not True or False, and an array has no hash: the second data set
# raises an error, or is compiled anew, or, where the comparison is by identity and the array was
# changed in place, silently gets the old result. Moreover nothing can be differentiated, mapped or
# moved to a device with respect to it, and the constant makes the program large.
#
# *Grading:* 1 point for "part of the key, baked in as a constant". Half a point for each of two
# consequences: an error in the comparison, a compilation for each data set, stale results, no grad
# or vmap, a large program.
# ### END SOLUTION
# ### BEGIN STARTER
# *Write your answer here.*
# ### END STARTER

# %% [markdown]
# ## Others do the same
#
# Several libraries do this for you. All of them make a dataclass and register it. They differ in how
# they mark a static field, and in what else a class may do.
#
# | library | how a class is made | a static field |
# | --- | --- | --- |
# | JAX itself | `@jax.tree_util.register_dataclass` on a dataclass | `field(metadata={"static": True})` |
# | chex | `@chex.dataclass` | none: every field is data |
# | flax | `@flax.struct.dataclass`, changed by `.replace(...)` | `flax.struct.field(pytree_node=False)` |
# | equinox | a subclass of `equinox.Module`, with methods | `equinox.field(static=True)` |
#
# Equinox goes furthest: a module is a model with methods, and `filter_jit` makes everything static
# that is not an array. In the next lesson you write such a class by hand.

# %% [markdown]
# ## What did it cost?
#
# One compilation for each static value, none for another rate. Taking the object apart at each call
# costs some microseconds, whatever the size of the arrays.

# %% tags=["demo"]
import time


def milliseconds(covariance, rate):
    pln = oaks_model(covariance, rate)
    start = time.perf_counter()
    jax.block_until_ready(fit(pln, 10))
    return 1e3 * (time.perf_counter() - start)


try:
    for covariance, rate in (("full", 0.2), ("full", 0.1), ("diagonal", 0.1), ("full", 0.3)):
        spent = milliseconds(covariance, rate)
        print(f"{covariance:8} rate {rate}: {spent:8.1f} ms for 10 iterations")
except TypeError:
    print("Repair PLN first, then run this cell again.")

# %% [markdown]
# To take away: arrays, and numbers that are only computed with, are data. Names, flags and
# functions are static. A static field needs an `==` that is simply True or False, and should take
# few values.
#
# The JAX documentation has more: [pytrees](https://docs.jax.dev/en/latest/101/pytrees.html), and
# [`register_dataclass`](https://docs.jax.dev/en/latest/_autosummary/jax.tree_util.register_dataclass.html).

# %% [markdown]
# ## Drills
#
# Three small repairs of two minutes each. They are practice: checked, but without points.
#
# **1.** `share_by_site(Y)` returns the counts over the total of their site plus 1. It fails.


# %% solution="share_by_site"
### BEGIN SOLUTION
@register_dataclass
@dataclass(frozen=True)
class Sites:
    Y: jax.Array


@jax.jit
def shares_of(sites):
    return sites.Y / (sites.Y.sum(axis=1, keepdims=True) + 1)


def share_by_site(Y):
    return shares_of(Sites(Y))


### END SOLUTION
### BEGIN STARTER
# @dataclass(frozen=True)
# class Sites:
#     Y: jax.Array
#
#
# @jax.jit
# def shares_of(sites):
#     return sites.Y / (sites.Y.sum(axis=1, keepdims=True) + 1)
#
#
# def share_by_site(Y):
#     return shares_of(Sites(Y))
### END STARTER

# %% check="share_by_site"
check("share_by_site")

# %% [markdown]
# **2.** `flatten_counts(y, kind)` returns `log(y + 1)` for `"log"`, and the square root otherwise.
# It fails, because of one field.


# %% solution="flatten_counts"
### BEGIN SOLUTION
@register_dataclass
@dataclass(frozen=True)
class Flattened:
    y: jax.Array
    kind: str = field(metadata={"static": True})


@jax.jit
def flatten(flattened):
    return jnp.log(flattened.y + 1) if flattened.kind == "log" else jnp.sqrt(flattened.y)


def flatten_counts(y, kind):
    return flatten(Flattened(y, kind))


### END SOLUTION
### BEGIN STARTER
# @register_dataclass
# @dataclass(frozen=True)
# class Flattened:
#     y: jax.Array
#     kind: str
#
#
# @jax.jit
# def flatten(flattened):
#     return jnp.log(flattened.y + 1) if flattened.kind == "log" else jnp.sqrt(flattened.y)
#
#
# def flatten_counts(y, kind):
#     return flatten(Flattened(y, kind))
### END STARTER

# %% check="flatten_counts"
check("flatten_counts")

# %% [markdown]
# **3.** `shifted_logs(y, offset)` returns `log(y + 1) + offset`. It fails.


# %% solution="shifted_logs"
### BEGIN SOLUTION
@register_dataclass
@dataclass(frozen=True)
class Logs:
    y: jax.Array
    offset: jax.Array


@jax.jit
def shift(logs):
    logs = replace(logs, y=jnp.log(logs.y + 1))
    return logs.y + logs.offset


def shifted_logs(y, offset):
    return shift(Logs(y, offset))


### END SOLUTION
### BEGIN STARTER
# @register_dataclass
# @dataclass(frozen=True)
# class Logs:
#     y: jax.Array
#     offset: jax.Array
#
#
# @jax.jit
# def shift(logs):
#     logs.y = jnp.log(logs.y + 1)
#     return logs.y + logs.offset
#
#
# def shifted_logs(y, offset):
#     return shift(Logs(y, offset))
### END STARTER

# %% check="shifted_logs"
check("shifted_logs")

# %% [markdown]
# ## Stretch goal: one program for all temperatures
#
# `temper(z, temperature)` compiles a program for each temperature, a plain Python float. Make **one
# program** enough.


# %% solution="temper"
### BEGIN SOLUTION
@register_dataclass
@dataclass(frozen=True)
class Tempered:
    z: jax.Array
    temperature: jax.Array


@jax.jit
def soften(tempered):
    return jax.nn.softmax(tempered.z / tempered.temperature)


def temper(z, temperature):
    return soften(Tempered(z, temperature))


### END SOLUTION
### BEGIN STARTER
# @register_dataclass
# @dataclass(frozen=True)
# class Tempered:
#     z: jax.Array
#     temperature: float = field(metadata={"static": True})
#
#
# @jax.jit
# def soften(tempered):
#     return jax.nn.softmax(tempered.z / tempered.temperature)
#
#
# def temper(z, temperature):
#     return soften(Tempered(z, temperature))
### END STARTER

# %% check="temper"
check("temper")
