# right: math.prod of the shape; exercise: static_reshape
import math


@jax.jit
def rank_abundance(counts):
    return jnp.sort((counts / counts.sum()).reshape(math.prod(counts.shape)))[::-1]
