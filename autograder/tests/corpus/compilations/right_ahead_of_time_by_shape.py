# verdict: right
# counts: 1 0 1
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,), (A[:4],)]
_programs = {}


def square(x):
    return jnp.sum(x * x)


def entry(x):
    if x.shape not in _programs:
        _programs[x.shape] = jax.jit(square).lower(x).compile()
    return _programs[x.shape](x)
