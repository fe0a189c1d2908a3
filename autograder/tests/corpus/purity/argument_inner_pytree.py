# impure: argument-mutated, line 20
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

from typing import NamedTuple


class State(NamedTuple):
    params: dict
    step: int


def arguments():
    return (State({"w": jnp.ones(3)}, 0),)


def f(s):
    s.params.update(w=s.params["w"] - 0.1)
    return s
