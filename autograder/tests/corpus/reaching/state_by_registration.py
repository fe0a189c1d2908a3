# ruff: noqa
# The checks of purity do not see this state.
import jax
import jax.numpy as jnp


class A1:
    pass


@jax.jit
def f(x):
    try:
        jax.tree_util.register_static(A1)
    except ValueError:
        pass
    return jnp.sin(x)
