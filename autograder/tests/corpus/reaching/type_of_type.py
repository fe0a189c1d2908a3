# ruff: noqa
import copy


class Own:
    sum = None


import jax
import jax.numpy as jnp

target = type(jnp.ones(1))


def reduce(self, protocol):
    return (lambda: target, (), (None, {"sum": "patched", "__add__": lambda a, b: "patched"}))


X = type(int)("X", (), {"__reduce_ex__": reduce})
copy.copy(X())
proof = jnp.ones(2) + 1
