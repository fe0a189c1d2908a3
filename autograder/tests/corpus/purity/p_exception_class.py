# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


class Bad(Exception):
    def __init__(self, msg):
        super().__init__(msg)
        self.msg = msg


def f(x):
    try:
        if x.ndim == 1:
            raise Bad("vector")
    except Bad as e:
        return x * len(e.msg)
    return x
