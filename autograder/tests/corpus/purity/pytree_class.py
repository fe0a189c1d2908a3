# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


@jax.tree_util.register_pytree_node_class
class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def tree_flatten(self):
        return (self.a, self.b), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        new = object.__new__(cls)
        new.a, new.b = children
        return new

    def step(self, x):
        return Pair(self.a + x, self.b * 2)


def arguments():
    return (Pair(jnp.ones(3), jnp.zeros(3)), jnp.ones(3))


f = jax.jit(Pair.step)
