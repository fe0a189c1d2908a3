# impure: attribute-mutated, line 12
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


class Recorder:
    writes = []

    def __setattr__(self, name, value):
        Recorder.writes.append(name)
        object.__setattr__(self, name, value)


def f(x):
    r = Recorder()
    r.value = x * 2
    return r.value
