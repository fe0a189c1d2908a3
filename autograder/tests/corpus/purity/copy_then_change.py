# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import copy


def arguments():
    return ({"w": jnp.ones(3), "n": {"k": [1, 2]}},)


def f(p):
    q = copy.deepcopy(p)
    q["n"]["k"].append(3)
    q["w"] = q["w"] * len(q["n"]["k"])
    return q["w"]
