# impure
# ruff: noqa
import collections
import jax
import jax.numpy as jnp

d = collections.OrderedDict(a=1, b=2)


@jax.jit
def f(x):
    d.move_to_end(next(iter(d)))
    return jnp.sin(x)
