# impure: leaked-tracer, line 13
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

trace = []


@jax.jit
def f(x):
    def body(c, v):
        trace.append(c)
        return c + v, None

    return jax.lax.scan(body, 0.0, x)[0]
