# impure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import socket


def f(x):
    return x * len(socket.gethostname())
