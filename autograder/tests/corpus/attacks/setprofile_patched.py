# attack: replaces sys.setprofile when loaded; must find: purity
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import sys, time

sys.setprofile = lambda *a: None


def f(x):
    t = time.time()
    return x * 2
