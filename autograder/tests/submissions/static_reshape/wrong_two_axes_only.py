# wrong: takes for granted that there are two axes; exercise: static_reshape; must fail: outputs; says: too many values to unpack
@jax.jit
def rank_abundance(counts):
    n, p = counts.shape
    return jnp.sort((counts / counts.sum()).reshape(n * p), descending=True)
