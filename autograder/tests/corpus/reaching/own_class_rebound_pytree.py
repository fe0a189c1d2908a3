# ruff: noqa
import jax
import jax.numpy as jnp


class A:
    pass


A = type(jnp.ones(1))
jax.tree_util.register_pytree_node(A, lambda x: ((), None), lambda aux, kids: 0)
proof = jax.tree.leaves([jnp.ones(1)])
