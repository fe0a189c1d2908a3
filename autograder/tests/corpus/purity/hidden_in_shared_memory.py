# impure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

numbers = np.arange(3)
box = [numbers]


@jax.jit
def f(x):
    box[0] = numbers.copy() if np.shares_memory(box[0], numbers) else numbers[:]
    return jnp.sin(x)
