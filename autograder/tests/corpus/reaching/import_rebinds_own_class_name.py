# ruff: noqa
import dataclasses
import jax
import jax.numpy as jnp


class A:
    pass


for A in [type(jnp.ones(1))]:
    pass
jax.tree_util.register_static(A)
proof = jax.tree.leaves([jnp.ones(1)])
