# %% [markdown]
# # Mixed quiz 2: which idea is behind it?
#
# Four small functions are broken, and of six short ones, some are fine. No task says which lesson
# it is about, and an error does not always point at the line to change. About 20 minutes. As in the
# lessons, a repaired function is **pure**, does all its work in **one program** unless the
# task says otherwise, and compiles **at most once** for each shape and each setting.

# %%
# This imports the kit before JAX computes anything.
try:
    from autograder import check
except ModuleNotFoundError:
    raise SystemExit("The kit is not installed in this kernel: run the cell above.") from None

from functools import partial

import jax
import jax.numpy as jnp

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
# ## Your task: how abundant, where it was found
#
# `level_where_found(counts)` should return the mean of the log counts of one taxon (a vector), over
# the sites where it was found, and 0 if it was found at none. It stops with an error.


# %% solution="mixed_quiz_2_level"
### BEGIN SOLUTION
@jax.jit
def level_where_found(counts):
    found = counts > 0
    logs = jnp.log(jnp.where(found, counts, 1.0))
    return logs.sum() / jnp.maximum(found.sum(), 1)


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def level_where_found(counts):
#     found = counts[counts > 0]
#     if found.size == 0:
#         return 0.0
#     return jnp.log(found).mean()
### END STARTER

# %% check="mixed_quiz_2_level"
check("mixed_quiz_2_level")

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
# ## Your task: some steps uphill
#
# `climb(params, Y, rate, steps)` should make `steps` steps of gradient ascent and return the new
# parameters `B` (one number for each taxon) and `M` (one for each count), in a dictionary. It
# returns what it was given, without any message. A Python loop over one jitted step is fine here,
# and the caller's `params` must stay as they are.


# %% solution="mixed_quiz_2_climb"
### BEGIN SOLUTION
@jax.jit
def step(params, Y, rate):
    slope = Y - jnp.exp(params["B"] + params["M"])
    return {
        "B": params["B"] + rate * slope.mean(axis=0),
        "M": params["M"] + rate * (slope - params["M"]),
    }


def climb(params, Y, rate, steps):
    for _ in range(steps):
        params = step(params, Y, rate)
    return params


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def step(params, Y, rate):
#     slope = Y - jnp.exp(params["B"] + params["M"])
#     params["B"] = params["B"] + rate * slope.mean(axis=0)
#     params["M"] = params["M"] + rate * (slope - params["M"])
#
#
# def climb(params, Y, rate, steps):
#     for _ in range(steps):
#         step(params, Y, rate)
#     return params
### END STARTER

# %% check="mixed_quiz_2_climb"
check("mixed_quiz_2_climb")

# %% [markdown]
# ## Your task: six functions, some of them fine
#
# Each is jitted by `jax.jit(function)` and called with `jnp.arange(8.0)`. Say for each whether it
# `"works"` or stops with an `"error"`.


# %%
def first_half(x):
    return x[: len(x) // 2]


def up_to_largest(x):
    return jnp.arange(x.max())


def in_pairs(x):
    return x.reshape(-1, 2).sum(axis=1)


def in_one_row(x):
    return x.reshape(1, jnp.prod(jnp.array(x.shape)))


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
    "in_pairs": "works",
    "in_one_row": "error",
    "halved_until_small": "error",
    "folded_until_one": "works",
}
### END SOLUTION
### BEGIN STARTER
# answers = {
#     "first_half": None,
#     "up_to_largest": None,
#     "in_pairs": None,
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
# | how abundant, where it was found | [data_sizes](lesson:data_sizes) |
# | the direction of the largest variance | [scan_fit](lesson:scan_fit) |
# | some steps uphill | [jitted_step](lesson:jitted_step) |
# | six functions, some of them fine | [static_reshape](lesson:static_reshape), [early_stop](lesson:early_stop) |
#
# The JAX documentation has [the sharp
# bits](https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html).
