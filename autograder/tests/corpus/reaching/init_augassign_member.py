# ruff: noqa
import jax
import jax.numpy as jnp


class Own:
    parent = None


class Catch:
    def __radd__(self, value):
        held.append(value)
        raise ValueError


class Step:
    def __init__(self, x):
        match x:
            case self:
                pass
        self.parent += Catch()


held = []


def f(x):
    y = jnp.sin(x)
    try:
        Step(y)
    except (ValueError, TypeError):
        pass
    return y


jax.make_jaxpr(f)(1.0)
proof = (held, type(held[0]))
