# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import enum


class Mode(enum.Enum):
    FAST = 1
    SLOW = 2


def arguments():
    return (jnp.ones(3), Mode.SLOW)


def f(x, mode):
    match mode:
        case Mode.FAST:
            return x
        case Mode.SLOW:
            return x * 3
