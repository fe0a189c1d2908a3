# impure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

buf = np.zeros(3)


def f(x):
    np.copyto(buf, np.asarray([1.0, 2.0, 3.0]))
    return x + buf
