# verdict: right
# counts: 1 0 1
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,), (A[:3],)]


def loss(x):
    return jnp.sum(x**2)


entry = jax.jit(jax.value_and_grad(loss))
