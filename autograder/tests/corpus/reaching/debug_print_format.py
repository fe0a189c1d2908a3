# ruff: noqa
import optax
import jax

jax.debug.print("{0.__globals__[jax]._src}", optax.apply_updates)
