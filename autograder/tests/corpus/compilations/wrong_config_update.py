# verdict: wrong (compiled-again)
# counts: 1 1 0
# says: jax_numpy_dtype_promotion
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,), (A,)]


@jax.jit
def double(x):
    return 2 * x


def entry(x):
    strict = jax.config.jax_numpy_dtype_promotion == "strict"
    jax.config.update("jax_numpy_dtype_promotion", "standard" if strict else "strict")
    return double(x)
