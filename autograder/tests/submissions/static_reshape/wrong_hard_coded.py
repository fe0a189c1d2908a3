# wrong: the size of one table; exercise: static_reshape; must fail: outputs; says: take the size from the array itself
@jax.jit
def rank_abundance(counts):
    return jnp.sort((counts / counts.sum()).reshape(12), descending=True)
