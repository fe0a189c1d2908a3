# ruff: noqa
# The checks of purity do not see this state.
import jax
import jax.numpy as jnp


def make():
    n = 0

    def count():
        nonlocal n
        n += 1

    return count


s = staticmethod(make())


@jax.jit
def f(x):
    s()
    return jnp.sin(x)
