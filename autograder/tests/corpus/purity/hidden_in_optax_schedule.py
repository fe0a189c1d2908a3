# impure
# ruff: noqa
import jax
import jax.numpy as jnp
import optax


def make():
    log = []

    def s(i):
        log.append(1)
        return i

    return s


s = optax.join_schedules([make()], [])


@jax.jit
def f(x):
    s(1)
    return jnp.sin(x)
