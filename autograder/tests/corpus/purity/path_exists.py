# impure: file-access, line 11
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import os


def f(x):
    if os.path.exists("/etc/hosts"):
        return x * 2
    return x
