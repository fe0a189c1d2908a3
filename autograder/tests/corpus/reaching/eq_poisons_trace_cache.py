# ruff: noqa
import functools
import jax
import jax.numpy as jnp


def g(x):
    return x + 1.0


class Evil:
    def __call__(self, x):
        return x * 0.0

    def __hash__(self):
        return hash(g)

    def __eq__(self, other):
        return True


evil = Evil()


@functools.wraps(g)
@(lambda f: evil)
def h(x):
    return x


x = jnp.ones(3)
r0 = jax.jit(evil)(x)
r1 = jax.jit(g)(x)
proof = (r0, r1)
