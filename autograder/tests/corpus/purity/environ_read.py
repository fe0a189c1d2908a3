# impure: reads-environment, line 11
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import os


def f(x):
    scale = float(os.environ.get("SCALE", "2"))
    return x * scale
