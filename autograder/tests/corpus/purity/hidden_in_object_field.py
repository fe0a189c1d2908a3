# impure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

r = np.zeros(1, dtype=[("a", object)])
r["a"][0] = []


@jax.jit
def f(x):
    r["a"][0].append(1)
    return jnp.sin(x)
