# verdict: wrong (too-many-compilations)
# counts: 2 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def affine(x, scale, shift):
    return x * scale + shift


def entry(x):
    one = affine(x, scale=2.0, shift=1.0)
    two = affine(x, shift=1.0, scale=2.0)
    three = affine(x, 2.0, 1.0)
    return one, two, three
