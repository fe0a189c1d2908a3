# ruff: noqa
import functools
import jax.numpy as jnp


def evil():
    pass


evil.own_attribute = 1


@functools.wraps(evil)
@(lambda f: jnp.vectorize)
def g():
    pass


# CHECK: (jnp.vectorize.__name__, jnp.vectorize.own_attribute, jnp.vectorize.__wrapped__)
