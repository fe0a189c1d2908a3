# ruff: noqa
# The checks of purity do not see this state.
import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    f.n = (*f.n, 1)
    return jnp.sin(x)


f.n = ()
