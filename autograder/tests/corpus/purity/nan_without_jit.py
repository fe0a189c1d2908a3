# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return (np.arange(3.0, dtype=np.float32),)


@jax.jit
def mean_log(padded):
    present = padded >= 0
    return (jnp.log1p(padded) * present).sum() / present.sum()  # 0 * -inf


def f(x):
    return mean_log(np.pad(x, (0, 2), constant_values=-1))
