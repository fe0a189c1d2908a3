# ruff: noqa
import optax

f = "{0.__globals__[jax]._src}".format
proof = f(optax.apply_updates)
