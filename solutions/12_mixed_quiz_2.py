# %% [markdown]
# # Mixed quiz 2: which idea is behind it?
#
# **Four tasks of three minutes: one gives NaN, one is silently wrong, one stops with an error, and
# one asks for six diagnoses.**
#
# No task says which lesson it is about, and an error does not always point at the line to change.
# About 30 minutes. As in the lessons, a repaired function is **pure**, does all its work in **one
# program** unless the task says otherwise, and compiles **at most once** for each shape and each
# setting.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from plnkit import load_oaks

counts = jnp.asarray(load_oaks().Y)
counts.shape

# %% [markdown]
# ## Your task: the deviance of each count
#
# `deviance(means, counts)` should return $2 (y \log(y / \mu) - y + \mu)$ for each count $y$ with
# mean $\mu > 0$, where the term with the logarithm is 0 if $y$ is 0. Its values are right, for
# arrays of any shape. Still, `jax.grad` of their sum with respect to `means` has NaN in it.


# %% solution="mixed_quiz_2_deviance"
### BEGIN SOLUTION
@jax.jit
def deviance(means, counts):
    safe = jnp.where(counts == 0, 1.0, counts)
    term = counts * jnp.log(safe / means)
    return 2 * (term - counts + means)


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def deviance(means, counts):
#     term = jnp.where(counts == 0, 0.0, counts * jnp.log(counts / means))
#     return 2 * (term - counts + means)
### END STARTER

# %% check="mixed_quiz_2_deviance"
check("mixed_quiz_2_deviance")

# %% [markdown]
# ## Your task: shorter and shorter steps
#
# `descend(B, slopes)` should subtract from `B` the first row of `slopes`, then a half of the
# second, a third of the third, and so on, and return the result. It returns something else, and
# something different again for the next shape. A Python loop over one jitted step is fine here.


# %% solution="mixed_quiz_2_descend"
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

# %% check="mixed_quiz_2_descend"
check("mixed_quiz_2_descend")

# %% [markdown]
# ## Your task: the direction of the largest variance
#
# `principal_axis(Sigma, turns)` should begin with the first unit vector, multiply it `turns`
# times by the covariance matrix, scale it to length 1 each time, and return it. It stops with an
# error. The program must not grow with `turns`, which is a plain integer and may be 0.


# %% solution="mixed_quiz_2_axis"
### BEGIN SOLUTION
def first_axis(p):
    return jnp.eye(p)[0]


@partial(jax.jit, static_argnames="turns")
def principal_axis(Sigma, turns):
    def turn(axis, _):
        axis = Sigma @ axis
        return axis / jnp.sqrt(jnp.sum(axis**2)), None

    axis, _ = jax.lax.scan(turn, first_axis(len(Sigma)), length=turns)
    return axis


### END SOLUTION
### BEGIN STARTER
# def first_axis(p):
#     return jnp.eye(p, dtype=int)[0]
#
#
# @partial(jax.jit, static_argnames="turns")
# def principal_axis(Sigma, turns):
#     def turn(axis, _):
#         axis = Sigma @ axis
#         return axis / jnp.sqrt(jnp.sum(axis**2)), None
#
#     axis, _ = jax.lax.scan(turn, first_axis(len(Sigma)), length=turns)
#     return axis
### END STARTER

# %% check="mixed_quiz_2_axis"
check("mixed_quiz_2_axis")

# %% [markdown]
# ## Your task: six functions, some of them fine
#
# Each of these functions is jitted by `jax.jit(function)` and called with `jnp.arange(8.0)`. Say
# for each whether it `"works"` or stops with an `"error"`.


# %%
def first_half(x):
    return x[: len(x) // 2]


def up_to_largest(x):
    return jnp.arange(x.max())


def absolute(x):
    return jax.vmap(lambda y: y if y > 0 else -y)(x)


def in_one_row(x):
    return x.reshape(1, np.prod(x.shape))


def halved_until_small(x):
    while x.sum() > 1:
        x = x / 2
    return x


def folded_until_one(x):
    while len(x) > 1:
        x = x[: len(x) // 2] + x[len(x) // 2 :]
    return x


# %% solution="mixed_quiz_2_six"
### BEGIN SOLUTION
answers = {
    "first_half": "works",
    "up_to_largest": "error",
    "absolute": "error",
    "in_one_row": "works",
    "halved_until_small": "error",
    "folded_until_one": "works",
}
### END SOLUTION
### BEGIN STARTER
# answers = {
#     "first_half": None,
#     "up_to_largest": None,
#     "absolute": None,
#     "in_one_row": None,
#     "halved_until_small": None,
#     "folded_until_one": None,
# }
### END STARTER

# %% check="mixed_quiz_2_six"
check("mixed_quiz_2_six")

# %% [markdown]
# ## If one of these stopped you
#
# | task | read again |
# | --- | --- |
# | the deviance of each count | [safe_where](lesson:safe_where) |
# | shorter and shorter steps | [purity_hunt](lesson:purity_hunt), [jitted_step](lesson:jitted_step) |
# | the direction of the largest variance | [scan_fit](lesson:scan_fit) |
# | six functions, some of them fine | [vmap](lesson:vmap), [static_reshape](lesson:static_reshape), [early_stop](lesson:early_stop) |
#
# The JAX documentation has [the sharp
# bits](https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html).
