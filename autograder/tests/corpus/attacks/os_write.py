# attack: prints past sys.stdout; must find: purity
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import os


def f(x):
    os.write(2, b"")
    return x * 2
