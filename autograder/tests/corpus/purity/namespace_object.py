# impure: attribute-mutated, line 13
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import types

cfg = types.SimpleNamespace(step=0)


def f(x):
    cfg.step += 1
    return x * cfg.step
