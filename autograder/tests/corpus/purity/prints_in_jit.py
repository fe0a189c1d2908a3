# impure: prints, line 10
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def f(x):
    print("compiling")
    return x * 2
