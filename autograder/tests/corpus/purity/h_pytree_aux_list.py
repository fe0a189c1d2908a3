# impure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


@jax.tree_util.register_pytree_node_class
class M:
    def __init__(self, w, log):
        self.w, self.log = w, log

    def tree_flatten(self):
        return (self.w,), self.log

    @classmethod
    def tree_unflatten(cls, aux, ch):
        return cls(ch[0], aux)


class Log(list):
    __hash__ = object.__hash__


log = Log()


def arguments():
    return (M(jnp.ones(3), log),)


@jax.jit
def f(m):
    m.log.append("step")
    return m.w * 2
