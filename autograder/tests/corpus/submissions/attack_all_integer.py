# attack: results of integer only; exercise: static_reshape; must not gain: outputs; says: is int32
@jax.jit
def rank_abundance(counts):
    return (jnp.sort((counts / counts.sum()).reshape(-1), descending=True)).astype(int)
