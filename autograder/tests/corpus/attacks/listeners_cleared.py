# attack: clears JAX's monitoring listeners; must find: purity
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    jax.monitoring.clear_event_listeners()
    return x * 2
