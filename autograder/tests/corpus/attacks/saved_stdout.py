# attack: prints to the stream it saved when loaded; must find: purity
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import sys

screen = sys.__stderr__


def f(x):
    screen.write("")
    return x * 2
