# ruff: noqa
import copy
import jax


def bump():
    holder = copy.copy(jax.Array)  # itself
    holder.planted = 1


bump()
proof = jax.Array.planted
