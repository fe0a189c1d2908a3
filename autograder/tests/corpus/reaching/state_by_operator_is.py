# ruff: noqa
# The checks of purity do not see this state.
import operator
import jax
import jax.numpy as jnp

MARK = 10**20
box = [MARK]


@jax.jit
def f(x):
    box[0] = MARK + 1 - 1 if operator.is_(box[0], MARK) else MARK
    return jnp.sin(x)
