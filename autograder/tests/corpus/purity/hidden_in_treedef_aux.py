# impure
# ruff: noqa
import jax
import jax.numpy as jnp


class Own:
    def __init__(self, log):
        self.log = log


jax.tree_util.register_pytree_node(Own, lambda o: ((), o.log), lambda aux, kids: Own(aux))


class Log(list):
    def __hash__(self):
        return 1

    def __eq__(self, other):
        return True


t = jax.tree.structure(Own(Log()))


@jax.jit
def f(x):
    jax.tree.unflatten(t, []).log.append(1)
    return jnp.sin(x)
