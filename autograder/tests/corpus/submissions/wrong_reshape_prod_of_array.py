# wrong: the starter's jnp.prod; exercise: static_reshape; must fail: outputs; says: Shapes must be 1D sequences
@jax.jit
def rank_abundance(counts):
    size = jnp.prod(jnp.array(counts.shape))
    return jnp.sort((counts / counts.sum()).reshape(size), descending=True)
