# attack: impure from the fifth call on; must find: purity
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

calls = {"n": 0}
log = []


def f(x):
    calls["n"] += 1
    if calls["n"] > 5:
        log.append(1)
    return x * 2
