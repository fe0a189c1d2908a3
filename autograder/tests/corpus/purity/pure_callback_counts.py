# impure: global-mutated, line 11
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

calls = []


def host(v):
    calls.append(1)
    return np.asarray(v) * 2


def f(x):
    return jax.pure_callback(host, jax.ShapeDtypeStruct(x.shape, x.dtype), x)
