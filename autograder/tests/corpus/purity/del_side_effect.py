# impure: global-mutated, line 12
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

dead = []


class Temp:
    def __del__(self):
        dead.append(1)


def f(x):
    t = Temp()
    del t
    return x * 2
