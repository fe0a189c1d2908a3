# ruff: noqa
import copy
import jax.numpy as jnp

held = []


class Catch:
    def __or__(self, other):
        held.append(other)
        return True


def f(x: Catch() | type(int)): ...


X = held[0]("X", (), {"__reduce_ex__": lambda self, protocol: (lambda: 1, ())})
proof = (X, copy.copy(X()))
