# impure: global-mutated, line 13
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import io

out = io.StringIO()


def f(x):
    out.write("called")
    return x * 2
