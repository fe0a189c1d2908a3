# wrong: int() of a traced size; exercise: static_reshape; must fail: outputs; says: Nothing has to become static here
@jax.jit
def rank_abundance(counts):
    size = int(jnp.prod(jnp.array(counts.shape)))
    return jnp.sort((counts / counts.sum()).reshape(size), descending=True)
