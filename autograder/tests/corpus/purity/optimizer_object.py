# impure: attribute-mutated, line 13
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


class SGD:
    def __init__(self, lr):
        self.lr, self.t = lr, 0

    def __call__(self, p, g):
        self.t += 1
        return p - self.lr / self.t * g


opt = SGD(0.1)


@jax.jit
def f(x):
    return opt(x, 2 * x)
