# ruff: noqa
import copy
import jax.numpy as jnp

held = []


class Catch:
    def __eq__(self, other):
        held.append(other)
        return True


type(int) in [Catch()]
X = held[0]("X", (), {"__reduce_ex__": lambda self, protocol: (lambda: 1, ())})
proof = (X, copy.copy(X()))
