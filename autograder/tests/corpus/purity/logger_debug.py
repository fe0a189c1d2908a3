# impure: logs, line 13
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import logging

log = logging.getLogger("student")


def f(x):
    log.debug("called")
    return x * 2
