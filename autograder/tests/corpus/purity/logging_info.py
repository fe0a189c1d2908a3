# impure: logs, line 11
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import logging


def f(x):
    logging.info("called with %s", x.shape)
    return x * 2
