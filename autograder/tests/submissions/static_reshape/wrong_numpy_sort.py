# wrong: np.sort on a tracer; exercise: static_reshape; must fail: outputs; says: Use `jax.numpy`
import numpy as np


@jax.jit
def rank_abundance(counts):
    return np.sort((counts / counts.sum()).reshape(-1))[::-1]
