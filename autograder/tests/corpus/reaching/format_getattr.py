# ruff: noqa
import optax

proof = getattr("{0.__globals__[jax]._src}", "format")(optax.apply_updates)
