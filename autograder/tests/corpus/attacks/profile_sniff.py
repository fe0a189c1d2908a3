# attack: prints only when no profiler watches; must find: purity
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import sys

log = []


def f(x):
    if sys.getprofile() is None:
        log.append(1)
    return x * 2
