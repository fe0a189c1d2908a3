# ruff: noqa
import jax
import jax.numpy as jnp

f = jnp.vectorize
f.own_attribute = 1
A = type(jnp.ones(1))
A.own_attribute = 1
# CHECK: (jnp.vectorize.own_attribute, jnp.ones(1).own_attribute)
