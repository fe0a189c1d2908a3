# verdict: wrong (compiled-again)
# counts: 1 1 0
# says: jax_default_matmul_precision
import jax
import numpy as np

A = np.ones((3, 3), np.float32)
CALLS = [(A,), (A + 1,), (A,)]
precisions = ["float32", "bfloat16"]


@jax.jit
def square(x):
    return x @ x


def entry(x):
    precisions.reverse()
    with jax.default_matmul_precision(precisions[0]):
        return square(x)
