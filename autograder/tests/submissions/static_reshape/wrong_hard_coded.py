# wrong: the size of one table; exercise: static_reshape; must fail: outputs; says: take the number from the array at hand
@jax.jit
def rank_abundance(counts):
    return jnp.sort((counts / counts.sum()).reshape(12), descending=True)
