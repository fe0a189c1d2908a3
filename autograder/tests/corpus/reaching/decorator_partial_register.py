# ruff: noqa
import functools
import jax
import jax.numpy as jnp

x = jnp.ones(1)
try:

    @functools.partial(jax.tree_util.register_pytree_node, type(x), lambda x: ((), None))
    class A:
        pass
except TypeError:
    pass
proof = jax.tree.leaves([x])
