# verdict: right
# counts: 1 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]
double = jax.jit(lambda x: 2 * x)


def entry(x):
    assert jax.eval_shape(double, x).shape == x.shape
    return double(x)
