# attack: is impure only when jit is not disabled; must find: purity
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

log = []


def f(x):
    if not jax.config.jax_disable_jit:
        log.append(1)
    return x * 2
