# right: a Python loop over the axes; exercise: static_reshape
@jax.jit
def rank_abundance(counts):
    size = 1
    for n in counts.shape:
        size *= n
    return jnp.sort((counts / counts.sum()).reshape(size), descending=True)
