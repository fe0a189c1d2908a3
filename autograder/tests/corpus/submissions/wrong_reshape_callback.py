# wrong: calls NumPy back; exercise: static_reshape; must fail: outputs; says: calls back into Python
import numpy as np


@jax.jit
def rank_abundance(counts):
    flat = jax.ShapeDtypeStruct((counts.size,), counts.dtype)
    return jax.pure_callback(lambda c: np.sort((c / c.sum()).reshape(-1))[::-1], flat, counts)
