# pure
import warnings

import jax.numpy as jnp


class Layer:
    def __init__(self):
        self.filters = jnp.ones(3)


layer = Layer()


def f(x):
    layer_copy = Layer()
    layer_copy.filters = x
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return x * layer.filters + layer_copy.filters
