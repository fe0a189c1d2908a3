# attack: state whose __eq__ and __hash__ say nothing changed; must find: purity
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


class Sly:
    def __init__(self):
        self.n = 0

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0


sly = Sly()


def f(x):
    sly.n += 1
    return x * 2
