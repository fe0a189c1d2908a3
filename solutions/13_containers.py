# %% [markdown]
# # One container for a whole model
#
# **Seven arrays in one container, and the compiled program is not a line longer.**
#
# **You will learn** to carry a model through a scan as a `NamedTuple`, to make JAX understand a
# dataclass, and which of its fields may be static: strings and flags, never an array. About 40
# minutes.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check, outcome, predict
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import optax
from jax.tree_util import register_dataclass

from plnkit import load_oaks
from plnkit.course import elbo, optimizer, start

oaks = load_oaks()
counts, offsets, covariates = jnp.asarray(oaks.Y), jnp.asarray(oaks.O), jnp.asarray(oaks.X)


# %% tags=["demo"]
class Packed(NamedTuple):
    B: jax.Array
    M: jax.Array
    log_S: jax.Array
    Omega: jax.Array
    Y: jax.Array
    O: jax.Array
    X: jax.Array


def elbo_of_arrays(B, M, log_S, Omega, Y, O, X):
    return elbo({"B": B, "M": M, "log_S": log_S}, Omega, Y, O, X)


def lines_of_program(function, *arguments):
    return len(jax.jit(function).lower(*arguments).as_text().splitlines())


params, Omega = start(counts, offsets, covariates)
arrays = Packed(**params, Omega=Omega, Y=counts, O=offsets, X=covariates)
print("seven arguments:", lines_of_program(elbo_of_arrays, *arrays), "lines")
print("one container:  ", lines_of_program(lambda pln: elbo_of_arrays(*pln), arrays), "lines")

# %% [markdown]
# JAX takes a container apart before it compiles. The program has an argument for each array, and knows
# nothing of containers.
#
# ## See it fail
#
# A small container: counts, their number of columns, and the mean of each column.


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
# A tuple does not change. `_replace` makes a new one, with some fields replaced. The other fields are
# the same arrays as before: nothing is copied.

# %%
filled = table._replace(means=counts.mean(axis=0))
print("before:", table.means[:3], " after:", filled.means[:3])


@jax.jit
def covariances(table):
    centred = table.Y - table.means
    return centred.T @ centred / len(table.Y) + jnp.eye(table.p)


# %% tags=["raises-exception"]
covariances(filled)

# %% [markdown]
# ```
# TypeError: Shapes must be 1D sequences of concrete values of integer type, got
# (JitTracer(~int32[]),). argument of 'N' jnp.eye().
# ```
#
# ## Why
#
# jit takes each argument apart into *leaves*, which it traces, and a *structure*: which container,
# which fields. (JAX calls such containers **pytrees**: tuples, lists, dictionaries, NamedTuples.)
# `scan` does the same with its carry. Inside, you get a container of the
# same kind, with tracers in it.
#
# `p` was a plain integer when the tuple was made. But an integer is a leaf like any other. You can
# compute with a traced `table.p`, but you cannot make an array of that size. The size is still
# known: it is in the shapes of the arrays.
#
# **Predict before you run.** How many of the four lines below show a plain number?

# %% tags=["demo"]
predict("how many of the four lines show a plain number", ...)

# %% tags=["demo"]
numbers = []


@jax.jit
def look(table):
    lines = {
        "table.p": table.p,
        "table.Y.shape[1]": table.Y.shape[1],
        "table.means.size": table.means.size,
        "table.means[0]": table.means[0],
    }
    for name, value in lines.items():
        print(f"{name:17}", value)
    numbers.extend(value for value in lines.values() if isinstance(value, int))
    return table.Y.sum()


look(filled)
outcome("how many of the four lines show a plain number", len(numbers))

# %% [markdown]
# ## Your task: a NamedTuple as carry
#
# `loss` below is minus the ELBO. `free` holds the parameters that the optimizer changes; the data
# and Omega come from the container.
#
# `PLN` and `fit` fail with both errors from above, one after the other. Repair them so that
#
# * `fit(Y, O, X, n_iterations)` returns the `PLN` after the last iteration, and the ELBO before each
#   iteration;
# * `PLN` stays a NamedTuple with the fields `B`, `M`, `log_S` and `Omega`. Which other fields it has is
#   your choice;
# * `fit` stays one jitted function, pure, compiled once for each size and number of iterations;
# * its program does not grow with the number of iterations.


# %%
def loss(free, pln):
    B, M, log_S = free
    return -elbo({"B": B, "M": M, "log_S": log_S}, pln.Omega, pln.Y, pln.O, pln.X)


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
    params, Omega = start(Y, O, X)
    return PLN(Y, O, X, **params, Omega=Omega)


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
#     params, Omega = start(Y, O, X)
#     return PLN(Y, O, X, *Y.shape, **params, Omega=Omega)
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
# Once it passes, see your fit of the oaks beside those of the earlier lessons.

# %% tags=["demo"]
import time

from plnkit.course import plot_progress


def progress():
    began = time.perf_counter()
    try:
        _, elbos = jax.block_until_ready(fit(counts, offsets, covariates, 1000))
    except (AttributeError, TypeError):
        return "Repair PLN and fit first, then run this cell again."
    seconds = time.perf_counter() - began
    print(f"{elbos[-1]:.0f} nats after 1000 iterations and {seconds:.1f} s")
    return plot_progress("your NamedTuple", seconds, elbos)


progress()

# %% [markdown]
# ## What must stay plain
#
# Some settings are words: a covariance is `"full"` or `"diagonal"`, a scale is `"log"` or not. A
# word decides which program to compile, and it cannot be a leaf:


# %% tags=["raises-exception"]
class View(NamedTuple):
    Y: jax.Array
    scale: str


@jax.jit
def largest_count(view):
    return jnp.log1p(view.Y).max() if view.scale == "log" else view.Y.max()


largest_count(View(counts, "log"))

# %% [markdown]
# ```
# TypeError: Error interpreting argument to ... as an abstract array. The problematic value is of type
# <class 'str'> and was passed to the function at path view.scale.
# ```
#
# A string belongs to the *structure*. With a dataclass you can say so: `@register_dataclass` makes
# its fields leaves, except those marked **static**. (Without it, JAX does not know your class at
# all.) jit compares structures as it compares static arguments, by `==` and `hash`: another word is
# another program. A *frozen* dataclass does not change: `dataclasses.replace(view, Y=...)` makes a
# changed copy.
#
# **Predict before you run.** How many times does the next cell print `tracing`?

# %% tags=["demo"]
predict("how many times it prints `tracing`", ...)

# %% tags=["demo"]
words = []


@register_dataclass
@dataclass(frozen=True)
class StaticView:
    Y: jax.Array
    scale: str = field(metadata={"static": True})


@jax.jit
def loud_largest(view):
    print("tracing for scale =", view.scale)
    words.append(view.scale)
    return jnp.log1p(view.Y).max() if view.scale == "log" else view.Y.max()


view = StaticView(counts, "log")
for each in (view, replace(view, Y=2 * counts), replace(view, scale="counts"), view):
    loud_largest(each)
outcome("how many times it prints `tracing`", len(words))

# %% [markdown]
# Static fields make errors about tracers go away, so it is tempting to make *all* fields static.
# The first call works, which makes this mistake hard to find.


# %% tags=["demo"]
@register_dataclass
@dataclass(frozen=True)
class AllStatic:
    Y: jax.Array = field(metadata={"static": True})
    scale: str = field(metadata={"static": True})


for Y in (counts, 2 * counts):
    try:
        print(loud_largest(AllStatic(Y, "log")))
    except (TypeError, ValueError) as error:
        print(type(error).__name__, "-", str(error).splitlines()[0])

# %% [markdown]
# At the second call, jit asks whether the two arrays are equal, and `==` of two arrays is not True or
# False but an array. At the first call there was nothing to compare with, and the counts became
# constants of the program.
#
# ## Your task: a dataclass with a setting
#
# `Model` has two more fields. `covariance` is `"full"` or `"diagonal"`. `rate` is the optimizer's
# learning rate, an array without axes.
#
# JAX does not know `Model`, and `fit_model` assigns its fields. Repair both, so that
#
# * `Model(Y=..., O=..., X=..., B=..., M=..., log_S=..., Omega=..., rate=..., covariance=...)` still
#   makes a model;
# * `fit_model(model, n_iterations)` returns the fitted `Model` and the ELBO before each iteration, and
#   leaves `model` as it was;
# * it stays one jitted function;
# * it is compiled once for each size, number of iterations and `covariance`, and not again for
#   other data or another rate.


# %%
def best_Omega_of(model):
    Sigma = (model.M.T @ model.M + jnp.diag(jnp.exp(2 * model.log_S).sum(axis=0))) / len(model.M)
    if model.covariance == "diagonal":
        return jnp.diag(1 / jnp.diag(Sigma))
    return jnp.linalg.inv(Sigma)


# %% solution="dataclass_pytree"
### BEGIN SOLUTION
@register_dataclass
@dataclass(frozen=True)
class Model:
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
def fit_model(model, n_iterations):
    optimizer = optax.adam(model.rate)

    def body(carry, _):
        model, state = carry
        free = model.B, model.M, model.log_S
        value, gradient = jax.value_and_grad(loss)(free, model)
        updates, state = optimizer.update(gradient, state)
        B, M, log_S = optax.apply_updates(free, updates)
        model = replace(model, B=B, M=M, log_S=log_S)
        model = replace(model, Omega=best_Omega_of(model))
        return (model, state), -value

    carry = model, optimizer.init((model.B, model.M, model.log_S))
    (model, _), elbos = jax.lax.scan(body, carry, length=n_iterations)
    return model, elbos


### END SOLUTION
### BEGIN STARTER
# @dataclass(frozen=True)
# class Model:
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
# def fit_model(model, n_iterations):
#     optimizer = optax.adam(model.rate)
#
#     def body(carry, _):
#         model, state = carry
#         free = model.B, model.M, model.log_S
#         value, gradient = jax.value_and_grad(loss)(free, model)
#         updates, state = optimizer.update(gradient, state)
#         model.B, model.M, model.log_S = optax.apply_updates(free, updates)
#         model.Omega = best_Omega_of(model)
#         return (model, state), -value
#
#     carry = model, optimizer.init((model.B, model.M, model.log_S))
#     (model, _), elbos = jax.lax.scan(body, carry, length=n_iterations)
#     return model, elbos
### END STARTER

# %% check="dataclass_pytree"
check("dataclass_pytree")

# %% [markdown]
# ## What did it cost?
#
# One compilation for each value of `covariance`, and none for another rate. Once the check passes,
# see which fits compile, and whether it pays to let taxa depend on each other.

# %% tags=["demo"]
data = {"Y": counts, "O": offsets, "X": covariates}
try:
    for covariance, rate in (("full", 0.2), ("full", 0.1), ("diagonal", 0.2), ("diagonal", 0.1)):
        settings = {"rate": jnp.float32(rate), "covariance": covariance}
        model = Model(**data, **params, Omega=Omega, **settings)
        began = time.perf_counter()
        fitted, elbos = jax.block_until_ready(fit_model(model, 300))
        seconds = time.perf_counter() - began
        print(f"{covariance:8} rate {rate}: {elbos[-1]:.0f} nats, {seconds:4.1f} s")
except TypeError:
    print("Repair Model first, then run this cell again.")

# %% [markdown]
# To take away:
#
# 1. A container is many arguments in one. jit, vmap and scan trace all its leaves: arrays, and numbers.
# 2. NamedTuples and frozen dataclasses do not change: `pln = pln._replace(...)`, `model =
#    replace(model, ...)`. Sizes come from shapes.
# 3. Words, flags and functions are static. A static field needs an `==` that is True or False, and
#    should take few values. Never make an array static.
#
# The JAX documentation has more: [pytrees](https://docs.jax.dev/en/latest/101/pytrees.html), and
# [`register_dataclass`](https://docs.jax.dev/en/latest/_autosummary/jax.tree_util.register_dataclass.html).
#
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
# **3.** `temper(z, temperature)` compiles a program for each temperature, a plain Python float. Let
# **one program** serve all of them.


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
