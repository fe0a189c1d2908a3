# %% [markdown]
# # Mixed quiz 3: objects, settings and programs
#
# **Four tasks of three minutes, and not one of them stops with an error.**
#
# Three pieces of code give wrong numbers and say nothing. In one of them, the fault is not where the
# numbers come out. No task says which lesson it is about. About 30 minutes. As in the lessons, a
# repaired function is **pure**, does all its work in **one program**, and compiles **at most once**
# for each shape and each setting.

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

oaks = load_oaks()
counts, offsets = jnp.asarray(oaks.Y), jnp.asarray(oaks.O)
counts.shape, offsets.shape

# %% [markdown]
# ## Your task: new offsets
#
# `Rates(offsets).expected(B)` should return $e^{o + b}$ for all offsets $o$ and the level $b$ of
# each taxon. After `rates.offsets = other`, with offsets of the same shape, the next call should
# use the new ones. Instead it goes on using the old ones, and it compiles again for each new
# object.


# %% solution="mixed_quiz_3_rates"
### BEGIN SOLUTION
@jax.jit
def expected(offsets, B):
    return jnp.exp(offsets + B)


class Rates:
    def __init__(self, offsets):
        self.offsets = offsets

    def expected(self, B):
        return expected(self.offsets, B)


### END SOLUTION
### BEGIN STARTER
# class Rates:
#     def __init__(self, offsets):
#         self.offsets = offsets
#
#     @partial(jax.jit, static_argnums=0)
#     def expected(self, B):
#         return jnp.exp(self.offsets + B)
### END STARTER

# %% check="mixed_quiz_3_rates"
check("mixed_quiz_3_rates")

# %% [markdown]
# ## Your task: expected counts
#
# `expected_counts(q, O)` should return $e^{O + m + s^2 / 2}$, where `q` is a `Gaussian`. It holds
# the means $m$ and, as `log_sd`, the logs of the standard deviations $s$. It is right without
# `@jax.jit` and wrong with it. `q` may be any `Gaussian(mean, log_sd)`, and `jax.tree.map(function,
# q)` should return a `Gaussian`, too, with the function applied to each field.


# %% solution="mixed_quiz_3_gaussian"
### BEGIN SOLUTION
@jax.tree_util.register_pytree_node_class
class Gaussian:
    def __init__(self, mean, log_sd):
        self.mean = mean
        self.log_sd = log_sd

    def tree_flatten(self):
        return (self.mean, self.log_sd), None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        return cls(*children)


@jax.jit
def expected_counts(q, O):
    return jnp.exp(O + q.mean + jnp.exp(q.log_sd) ** 2 / 2)


### END SOLUTION
### BEGIN STARTER
# @jax.tree_util.register_pytree_node_class
# class Gaussian:
#     def __init__(self, mean, log_sd):
#         self.mean = mean
#         self.log_sd = log_sd
#
#     def tree_flatten(self):
#         return (self.log_sd, self.mean), None
#
#     @classmethod
#     def tree_unflatten(cls, aux_data, children):
#         return cls(*children)
#
#
# @jax.jit
# def expected_counts(q, O):
#     return jnp.exp(O + q.mean + jnp.exp(q.log_sd) ** 2 / 2)
### END STARTER

# %% check="mixed_quiz_3_gaussian"
check("mixed_quiz_3_gaussian")

# %% [markdown]
# ## Your task: the effect of a group
#
# `group_effects(effects, groups)` should return, for each site, the row of `effects` that belongs
# to its group. `effects` has a row for each group, and groups are numbered from 0. Where the group
# of a site is not known, `groups` holds a number that no group has, below 0 or too large, and the
# row should be zeros. Try it with such numbers.


# %% solution="mixed_quiz_3_groups"
### BEGIN SOLUTION
@jax.jit
def group_effects(effects, groups):
    known = (groups >= 0) & (groups < len(effects))
    return jnp.where(known[:, None], effects[groups], 0)


### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def group_effects(effects, groups):
#     return effects[groups]
### END STARTER

# %% check="mixed_quiz_3_groups"
check("mixed_quiz_3_groups")

# %% [markdown]
# ## Your task: eight calls
#
# `power_means(Y, 2)` has been called once with this `Y`. Then the calls below are made, one after
# the other. Say for each, `True` or `False`, whether this call compiles `power_means` once more.
# (In the last row, what stands after the word "after" was done before the call, and does not
# count.)


# %%
@partial(jax.jit, static_argnames="power")
def power_means(Y, power):
    return jnp.mean(Y**power, axis=0)


Y, in_numpy = jnp.ones((6, 4)), np.ones((6, 4), np.float32)

# %% [markdown]
# | key | call |
# | --- | --- |
# | `other_values` | `power_means(2 * Y, 2)` |
# | `numpy` | `power_means(in_numpy, 2)` |
# | `fewer_sites` | `power_means(Y[:3], 2)` |
# | `by_name` | `power_means(Y, power=2)` |
# | `first_again` | `power_means(Y, 2)` |
# | `integers` | `power_means(jnp.ones((6, 4), int), 2)` |
# | `filled` | `power_means(jnp.full((6, 4), 1.0), 2)` |
# | `lowered` | `power_means(Y[:5], 2)`, after `power_means.lower(Y[:5], 2).compile()` |

# %% solution="mixed_quiz_3_calls"
### BEGIN SOLUTION
answers = {
    "other_values": False,
    "numpy": False,
    "fewer_sites": True,
    "by_name": True,
    "first_again": False,
    "integers": True,
    "filled": True,
    "lowered": False,
}
### END SOLUTION
### BEGIN STARTER
# answers = {
#     "other_values": None,
#     "numpy": None,
#     "fewer_sites": None,
#     "by_name": None,
#     "first_again": None,
#     "integers": None,
#     "filled": None,
#     "lowered": None,
# }
### END STARTER

# %% check="mixed_quiz_3_calls"
check("mixed_quiz_3_calls")

# %% [markdown]
# ## If one of these stopped you
#
# | task | read again |
# | --- | --- |
# | new offsets | [static_self](lesson:static_self) |
# | expected counts | [containers](lesson:containers), [pytree_class](lesson:pytree_class) |
# | the effect of a group | [static_reshape](lesson:static_reshape) |
# | eight calls | [recompile_hunt](lesson:recompile_hunt), [timing](lesson:timing) |
#
# The JAX documentation has more on [custom pytree
# nodes](https://docs.jax.dev/en/latest/custom_pytrees.html).
