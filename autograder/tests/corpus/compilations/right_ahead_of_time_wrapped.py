# verdict: right
# counts: 0 0
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def square(x):
    return jnp.sum(x * x)


_compiled = jax.jit(square).lower(A).compile()


def entry(x):
    return _compiled(x)
