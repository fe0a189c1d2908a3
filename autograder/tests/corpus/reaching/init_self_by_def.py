# ruff: noqa
import jax.numpy as jnp

target = type(jnp.ones(1))


class A:
    def __init__(self, other):
        if other:
            import copy
        try:
            raise other
        except Exception as self:
            self.args = ()
            self.shape = 1


class B:
    def __init__(self, other):
        @(lambda f: other)
        def self():
            pass

        self.sum = "patched"


B(target)
proof = jnp.ones(1).sum
