# impure
# ruff: noqa
import jax
import jax.numpy as jnp
import optax


def make():
    log = []

    def init(p):
        log.append(1)
        return p

    return optax.GradientTransformation(init, init)


tx = optax.chain(make())


@jax.jit
def f(x):
    tx.init(1.0)
    return jnp.sin(x)
