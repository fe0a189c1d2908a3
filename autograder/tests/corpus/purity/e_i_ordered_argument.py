# impure
import jax.numpy as jnp


def arguments():
    return ([jnp.ones(3), jnp.zeros(3)],)


def f(xs):
    xs.reverse()
    return xs[0]
