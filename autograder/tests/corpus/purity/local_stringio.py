# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import io


def f(x):
    buf = io.StringIO()
    print("shape", x.ndim, file=buf)
    return x * len(buf.getvalue())
