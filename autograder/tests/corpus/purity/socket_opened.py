# impure: network, line 11
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import socket


def f(x):
    s = socket.socket()
    s.close()
    return x
