# attack: looks for the grader with inspect.stack; must find: purity
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import inspect

log = []


def f(x):
    if not any("purity" in s.filename for s in inspect.stack()):
        log.append(1)
    return x * 2
