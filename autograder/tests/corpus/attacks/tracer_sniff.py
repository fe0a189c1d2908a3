# attack: is impure only outside of traces; must find: purity
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

log = []


def f(x):
    if not isinstance(x, jax.core.Tracer):
        log.append(float(x[0]))
    return x * 2
