# ruff: noqa
import jax
import jax.numpy as jnp


class Own:
    consts = None


c = jnp.arange(3.0)
f = jax.jit(lambda x: x + c)
x = jnp.zeros(3)
closed = f.trace(x).jaxpr
closed.consts[0] = jnp.full(3, 100.0)
proof = (f.trace(x).jaxpr.consts, f(x), f.lower(x).compile()(x))
