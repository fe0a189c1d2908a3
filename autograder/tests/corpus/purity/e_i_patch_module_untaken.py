# impure
import jax.numpy as jnp


def f(x):
    if x.ndim > 1:
        jnp.my_sum = jnp.sum
    return x
