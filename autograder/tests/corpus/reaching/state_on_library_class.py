# ruff: noqa
import jax
import jax.numpy as jnp


def bump(holder):
    holder.planted = getattr(holder, "planted", 0) + 1


@jax.jit
def f(x):
    bump(jax.Array)  # a side effect that the purity checks do not see
    return jnp.sin(x)


f(1.0)
proof = jax.Array.planted
