# attack: results of int4; exercise: static_reshape; must not gain: outputs; says: is int4
@jax.jit
def rank_abundance(counts):
    return (jnp.sort((counts / counts.sum()).reshape(-1), descending=True)).astype(jnp.int4)
