# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import contextlib


@contextlib.contextmanager
def scaled(v):
    box = [v]
    yield box
    box.clear()


def f(x):
    with scaled(2.0) as box:
        return x * box[0]
