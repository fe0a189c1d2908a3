# right: x.size; exercise: static_reshape
@jax.jit
def rank_abundance(counts):
    return jnp.sort((counts / counts.sum()).reshape(counts.size))[::-1]
