# right: np.prod of the shape; exercise: static_reshape
import numpy as np


@jax.jit
def rank_abundance(counts):
    size = np.prod(counts.shape)
    return jnp.sort((counts / counts.sum()).reshape(size), descending=True)
