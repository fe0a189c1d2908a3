# impure: file-access, line 13
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import pathlib

here = pathlib.Path(__file__)


def f(x):
    return x * len(here.read_text())
