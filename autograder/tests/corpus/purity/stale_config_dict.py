# impure: stale-global, line 15
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

config = {"lr": 0.1}


def set_lr(v):
    config["lr"] = v


def f(x):
    return x - config["lr"] * x
