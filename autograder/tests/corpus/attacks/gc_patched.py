# attack: replaces gc.get_objects and gc.collect; must find: purity
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import gc

gc.get_objects = lambda *a, **k: []
gc.collect = lambda *a, **k: 0
kept = []


@jax.jit
def f(x):
    kept.append(lambda: x)
    return x * 2
