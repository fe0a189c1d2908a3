# ruff: noqa
import jax.numpy as jnp

[0 for jnp.sin in [lambda x: "patched"]]
proof = jnp.sin(1.0)
