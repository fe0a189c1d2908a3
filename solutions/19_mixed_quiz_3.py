# %% [markdown]
# # Mixed quiz 3: objects, settings and programs
#
# Three pieces of code are broken. In one of them, the fault is not where the wrong numbers come
# out. No task says which lesson it is about. About 20 minutes. As in the lessons, a repaired
# function is **pure**, does all its work in **one program**, and compiles **at most once** for
# each shape and each setting.

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
# use the new ones. It goes on with the old ones, and compiles once more for each new object.


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
# ## Your task: two settings
#
# `prepare(Y, logs, power)` should raise the counts, or their `log1p` if `logs` is true, to a
# `power` (0, 1, 2 and so on), and subtract the mean of each taxon. Its results are right. But it
# compiles again at every call, even with settings that it was called with before.

# %% solution="mixed_quiz_3_prepare"
### BEGIN SOLUTION
from typing import NamedTuple


class Options(NamedTuple):
    logs: bool
    power: int


@partial(jax.jit, static_argnames="options")
def prepared(Y, options):
    values = (jnp.log1p(Y) if options.logs else Y) ** options.power
    return values - values.mean(axis=0)


def prepare(Y, logs, power):
    return prepared(Y, Options(logs, power))


### END SOLUTION
### BEGIN STARTER
# class Options:
#     def __init__(self, logs, power):
#         self.logs = logs
#         self.power = power
#
#
# @partial(jax.jit, static_argnames="options")
# def prepared(Y, options):
#     values = (jnp.log1p(Y) if options.logs else Y) ** options.power
#     return values - values.mean(axis=0)
#
#
# def prepare(Y, logs, power):
#     return prepared(Y, Options(logs, power))
### END STARTER

# %% check="mixed_quiz_3_prepare"
check("mixed_quiz_3_prepare")

# %% [markdown]
# ## Your task: expected counts
#
# `expected_counts(q, O)` should return $e^{O + m + s^2 / 2}$, where `q` is a `Gaussian`. It holds the
# means $m$ and, as `log_sd`, the logs of the standard deviations $s$. It is right without
# `@jax.jit` and wrong with it. `q` may be any `Gaussian(mean, log_sd)`, and
# `jax.tree.map(function, q)` should return one too, with the function applied to both fields.


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
# ## Your task: eight calls
#
# `power_means(Y, 2)` has been called once with this `Y`. Then the calls below are made, one after
# the other. Say for each, `True` or `False`, whether this call compiles `power_means` once more.
# (What the last row says after "after" was done before the call, and does not count.)


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
# | two settings | [dataclass_pytree](lesson:dataclass_pytree), [static_self](lesson:static_self) |
# | expected counts | [pytree_class](lesson:pytree_class), [named_tuple_carry](lesson:named_tuple_carry) |
# | eight calls | [recompile_hunt](lesson:recompile_hunt), [ahead_of_time](lesson:ahead_of_time) |
#
# The JAX documentation has more on [custom pytree
# nodes](https://docs.jax.dev/en/latest/custom_pytrees.html).
