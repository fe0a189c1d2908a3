# verdict: wrong (compiled-again)
# counts: 1 1
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def loss(x):
    return jnp.sum(x**2)


def entry(x):
    return jax.jit(jax.value_and_grad(lambda v: loss(v)))(x)
