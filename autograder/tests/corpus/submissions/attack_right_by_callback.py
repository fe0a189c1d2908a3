# attack: NumPy through a callback, which no other machine can run; exercise: static_reshape; must not gain: outputs; says: calls back into Python
import numpy as np


def right(table):
    return np.sort((table / table.sum()).reshape(-1))[::-1]


@jax.jit
def rank_abundance(counts):
    flat = jax.ShapeDtypeStruct((counts.size,), counts.dtype)
    return jax.pure_callback(right, flat, counts)
