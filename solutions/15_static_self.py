# %% [markdown]
# # The change that jit did not notice
#
# **Three caps: a static `self` returns one total for all of them, without an error.**
#
# **You will learn** what jit does with a *static* `self`, why `__hash__` and `__eq__` do not fix
# it, and how to write a class in which jit notices every change. About 35 minutes.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check, outcome, predict
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
from jax.scipy.special import gammaln

from plnkit import load_oaks

oaks = load_oaks()
counts, offsets, covariates = (jnp.asarray(a) for a in (oaks.Y, oaks.O, oaks.X))


# %% tags=["demo"]
class Capped:
    def __init__(self, Y, cap):
        self.Y, self.cap = Y, cap

    @partial(jax.jit, static_argnums=0)
    def total(self):
        return jnp.minimum(self.Y, self.cap).sum()


capped = Capped(counts, 1.0)
for cap in (10.0, 100.0, 1000.0):
    capped.cap = cap
    right = jnp.minimum(counts, cap).sum()
    print(f"cap {cap:6}: the method returns {capped.total():.0f}, right is {right:.0f}")

# %% [markdown]
# ## See it fail
#
# JAX does not know the class, so `self` cannot be traced. Many people make it static, and the error
# goes away. But a static argument is part of the key by which jit finds its program, and the key of
# a plain object is its *identity*. `capped` is still the same object, so jit runs the program of
# the first call, in which 10 is a constant.
#
# A dataclass is compared by its values. Would another value be another key?


# %% tags=["raises-exception"]
@dataclass
class CappedData:
    Y: jax.Array
    cap: float

    @partial(jax.jit, static_argnums=0)
    def total(self):
        return jnp.minimum(self.Y, self.cap).sum()


CappedData(counts, 10.0).total()

# %% [markdown]
# ```
# ValueError: Non-hashable static arguments are not supported. ...
# TypeError: unhashable type: 'CappedData'
# ```
#
# A dataclass defines `__eq__`, and Python removes the hash from a class that does. Arrays have no
# hash, either. You could write a `__hash__` that leaves the counts out.
#
# **Predict before you run.** With counts ten times as large and the same cap, does the method
# return a larger total, or the same?

# %% tags=["demo"]
choice = ["larger", "the same"]
predict("the total of ten times as many counts", ..., among=choice)


# %% tags=["demo"]
class CappedKey(Capped):
    def __hash__(self):
        return hash(self.cap)

    def __eq__(self, other):
        return self.cap == other.cap


once, tenfold = CappedKey(counts, 10.0).total(), CappedKey(10 * counts, 10.0).total()
print(
    f"once: {once:.0f}, tenfold: {tenfold:.0f}, right is {jnp.minimum(10 * counts, 10.0).sum():.0f}"
)
outcome("the total of ten times as many counts", choice[0] if tenfold > once else choice[1])

# %% [markdown]
# ## Why
#
# To jit, equal keys mean *the same program with the same constants*. When `self` is static, every
# attribute that a method reads becomes such a constant. Each key has its own fault:
#
# | the key of `self` | what goes wrong |
# | --- | --- |
# | its identity, as in `Capped` | a changed attribute is not noticed; each new object compiles again, and jit keeps it in memory |
# | its settings, as in `CappedKey` | two models with different counts get the same result |
# | all its values | arrays have no hash; each new value is compiled |
#
# And no key may change while it is in use, as in any Python dictionary.
#
# What changes must be *traced*. There are two ways:
#
# * Make the class a pytree, as in the lessons [containers](lesson:containers) and
#   [pytree_class](lesson:pytree_class). Its arrays and numbers are traced, and only its strings and
#   flags are static. Freeze it, so that nobody can assign to its fields:
#   `dataclasses.replace(model, ridge=2.0)` makes a changed copy.
# * Leave the class as it is, jit plain functions outside of it, and let the methods pass `self.Y`,
#   `self.ridge` and the others as arguments.
#
# ## Your task
#
# A Poisson regression is a PLN without its latent layer: Y is Poisson with mean exp(O + X B). With
# taxa that were hardly ever seen, B needs a penalty: ridge / 2 times the sum of its squares.
# `penalized` is `"all"` or `"slopes"`; with `"slopes"` the penalty leaves out row 0 of B, the
# intercepts. The mathematics below is right.
#
# `Poisson` has jitted methods with a static `self`, and `set` and `fit` assign its attributes.
# Repair it, so that
#
# * `Poisson(Y=..., O=..., X=..., B=..., ridge=..., penalized="all")` makes a model, and all six can
#   be read, as in `model.B`;
# * `model.set(ridge=2.0)` returns a changed model. It takes any of the six, and several at once;
# * `model.fit(n_iterations)` returns the fitted model; the fit starts from `model.B`;
# * `set` and `fit` leave `model` as it was;
# * `loss` and `fit` see every change, whatever was called before;
# * `loss` and `fit` each run as one jitted program, compiled once for all models of one shape and
#   one `penalized`, whatever their numbers.
#
# `n_iterations` is a plain Python integer. Whether you make it static, with a program for each
# number of steps, or leave it traced, is your choice.


# %%
def penalized_loss(B, Y, O, X, ridge, penalized):
    """The negative log-likelihood plus the penalty."""
    eta = O + X @ B
    shrunk = B if penalized == "all" else B[1:]
    return jnp.sum(jnp.exp(eta) - Y * eta + gammaln(Y + 1)) + ridge / 2 * jnp.sum(shrunk**2)


def newton_step(B, Y, O, X, ridge, penalized):
    """One step for each coefficient by itself, of length 1 at most."""
    slope = jax.grad(penalized_loss)(B, Y, O, X, ridge, penalized)
    curvature = (X**2).T @ jnp.exp(O + X @ B) + ridge
    return B - jnp.clip(slope / curvature, -1, 1)


# %% solution="static_self"
### BEGIN SOLUTION
from dataclasses import field, replace

from jax.tree_util import register_dataclass


@register_dataclass
@dataclass(frozen=True)
class Poisson:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    ridge: jax.Array | float
    penalized: str = field(metadata={"static": True})

    def set(self, **changes):
        return replace(self, **changes)

    @jax.jit
    def loss(self):
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    @partial(jax.jit, static_argnames="n_iterations")
    def fit(self, n_iterations):
        def body(B, _):
            return newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), None

        return self.set(B=jax.lax.scan(body, self.B, length=n_iterations)[0])


### END SOLUTION
### BEGIN STARTER
# class Poisson:
#     def __init__(self, Y, O, X, B, ridge, penalized):
#         self.Y, self.O, self.X, self.B = Y, O, X, B
#         self.ridge, self.penalized = ridge, penalized
#
#     def set(self, **changes):
#         for name, value in changes.items():
#             setattr(self, name, value)
#         return self
#
#     @partial(jax.jit, static_argnums=0)
#     def loss(self):
#         return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)
#
#     @partial(jax.jit, static_argnums=(0, 1))
#     def fitted_B(self, n_iterations):
#         def body(B, _):
#             return newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), None
#
#         return jax.lax.scan(body, self.B, length=n_iterations)[0]
#
#     def fit(self, n_iterations):
#         return self.set(B=self.fitted_B(n_iterations))
### END STARTER

# %% [markdown]
# Run the check as often as you like.

# %% check="static_self"
check("static_self")

# %% [markdown]
# Once it passes, fit the oaks with several ridges. The stronger the penalty, the closer the
# intercepts of the 114 taxa are to 0. With the class that you were given, all four fits are the
# same.

# %% tags=["demo"]
start = jnp.zeros((covariates.shape[1], counts.shape[1]))
model = Poisson(Y=counts, O=offsets, X=covariates, B=start, ridge=1.0, penalized="all")
for ridge in (0.1, 10.0, 1000.0, 100000.0):
    fitted = model.set(ridge=ridge).fit(50)
    print(f"ridge {ridge:8}: mean |B| {jnp.abs(fitted.B).mean():.3f}, loss {fitted.loss():.0f}")

# %% [markdown]
# ## What did it cost?
#
# At each call, the model is taken apart, which takes microseconds. A changed copy shares its arrays
# with the model. The next cell counts what a static `self` and your class compile for five ridges.
# The static way makes a new object for each, as it must to be right.

# %% tags=["demo"]
from plnkit.compile_counts import compile_counts


class StaticPoisson:
    def __init__(self, ridge):
        self.ridge = ridge

    @partial(jax.jit, static_argnums=0)
    def loss(self):
        return penalized_loss(start, counts, offsets, covariates, self.ridge, "all")


ways = {
    "static self, a new object each": lambda ridge: StaticPoisson(ridge).loss(),
    "yours": lambda ridge: model.set(ridge=ridge).loss(),
}
for way, loss in ways.items():
    with compile_counts() as counted:
        for ridge in (0.1, 0.2, 0.3, 0.4, 0.5):
            loss(ridge)
    print(f"{way:<32}{counted['compilations']} compilations")

# %% [markdown]
# **If you want more:** a model with a traced `self` can be mapped too. Fit ten ridges with *one* call
# of `jax.vmap`, and compile one program for it.
#
# ### Decorators and libraries that register a class for you
#
# | library | how a class is made | a static field |
# | --- | --- | --- |
# | JAX itself | `@jax.tree_util.register_dataclass` on a dataclass | `field(metadata={"static": True})`; in recent releases `jax.tree.static()` |
# | JAX itself | `@jax.tree_util.register_static` on a class with a hash | the whole object: for settings, without arrays |
# | jax_dataclasses | `@jax_dataclasses.pytree_dataclass` | the type `jax_dataclasses.Static[str]` |
# | chex | `@chex.dataclass` | none: every field is data |
# | flax | `@flax.struct.dataclass` | `flax.struct.field(pytree_node=False)` |
# | flax nnx | a subclass of `flax.nnx.Module` | every attribute that holds no arrays |
# | equinox | a subclass of `equinox.Module` | `equinox.field(static=True)` |
#
# To take away:
#
# 1. A static `self` is a key. Its attributes at the first call become constants of the program.
# 2. Static is for what takes few values and never changes. Neither is true of a model.
# 3. Trace what changes: a frozen pytree and changed copies, or attributes passed as arguments.
#
# The JAX documentation has more: [how to use `jit` with
# methods](https://docs.jax.dev/en/latest/faq.html#how-to-use-jit-with-methods), and
# [`register_dataclass`](https://docs.jax.dev/en/latest/_autosummary/jax.tree_util.register_dataclass.html).
#
# ## In your own words
#
# A colleague keeps the static `self`, and writes `jax.clear_caches()` into `set`. "Now every change
# is noticed." Is that right? And what does it cost? Two or three sentences.

# %% [markdown] question="why" points=2
# ### BEGIN SOLUTION
# It is right: no program is left that has the old value as a constant, so the next call traces again
# and reads the new one. But each change of a number compiles everything again, all other functions
# of the process too, and `set` still changes the model that others hold. A traced `self` needs one
# program for all values.
#
# *Grading.* 1 point: the results are right, because the stale program is gone. 1 point: a compilation
# for each changed number (half a point for "it is slow" alone). That other functions are compiled
# again, or that the old model is lost, can stand in for half a point.
# ### END SOLUTION
# ### BEGIN STARTER
# *Write your answer here.*
# ### END STARTER

# %% [markdown]
# ## Drills
#
# Three small repairs of two minutes each. They are practice: checked, but without points. The work
# must stay jitted. You may change the class, or do without it.
#
# **1.** `scaled_total(Y, factor)` returns the sum of `Y * factor`. It compiles at each call. Let it
# compile once for each shape.


# %% solution="scaled_total"
### BEGIN SOLUTION
@jax.jit
def total_of(Y, factor):
    return (Y * factor).sum()


class Scaled:
    def __init__(self, Y, factor):
        self.Y, self.factor = Y, factor

    def total(self):
        return total_of(self.Y, self.factor)


def scaled_total(Y, factor):
    return Scaled(Y, factor).total()


### END SOLUTION
### BEGIN STARTER
# class Scaled:
#     def __init__(self, Y, factor):
#         self.Y, self.factor = Y, factor
#
#     @partial(jax.jit, static_argnums=0)
#     def total(self):
#         return (self.Y * self.factor).sum()
#
#
# def scaled_total(Y, factor):
#     return Scaled(Y, factor).total()
### END STARTER

# %% check="scaled_total"
check("scaled_total")

# %% [markdown]
# **2.** `capped_mean(Y, cap)` returns the mean of the counts, each at most `cap`. With new counts
# and a cap that it has seen before, the result is wrong. Let it compile at most once for each
# shape and cap.


# %% solution="capped_mean"
### BEGIN SOLUTION
@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class CappedMean:
    Y: jax.Array
    cap: float

    @jax.jit
    def mean(self):
        return jnp.minimum(self.Y, self.cap).mean()


def capped_mean(Y, cap):
    return CappedMean(Y, cap).mean()


### END SOLUTION
### BEGIN STARTER
# class CappedMean:
#     def __init__(self, Y, cap):
#         self.Y, self.cap = Y, cap
#
#     def __hash__(self):
#         return hash(self.cap)
#
#     def __eq__(self, other):
#         return self.cap == other.cap
#
#     @partial(jax.jit, static_argnums=0)
#     def mean(self):
#         return jnp.minimum(self.Y, self.cap).mean()
#
#
# def capped_mean(Y, cap):
#     return CappedMean(Y, cap).mean()
### END STARTER

# %% check="capped_mean"
check("capped_mean")

# %% [markdown]
# **3.** `penalty_of(B, ridge)` returns `ridge / 2` times the sum of squares of `B`. It compiles for
# each new ridge. Let one program serve all ridges.


# %% solution="penalty_of"
### BEGIN SOLUTION
@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Penalty:
    B: jax.Array
    ridge: float

    @jax.jit
    def value(self):
        return self.ridge / 2 * jnp.sum(self.B**2)


def penalty_of(B, ridge):
    return Penalty(B, ridge).value()


### END SOLUTION
### BEGIN STARTER
# @partial(jax.tree_util.register_dataclass, data_fields=["B"], meta_fields=["ridge"])
# @dataclass(frozen=True)
# class Penalty:
#     B: jax.Array
#     ridge: float
#
#     @jax.jit
#     def value(self):
#         return self.ridge / 2 * jnp.sum(self.B**2)
#
#
# def penalty_of(B, ridge):
#     return Penalty(B, ridge).value()
### END STARTER

# %% check="penalty_of"
check("penalty_of")
