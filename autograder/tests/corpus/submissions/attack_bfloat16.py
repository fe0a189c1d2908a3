# attack: results of bfloat16; exercise: static_reshape; must not gain: outputs; says: is bfloat16
@jax.jit
def rank_abundance(counts):
    return (jnp.sort((counts / counts.sum()).reshape(-1), descending=True)).astype(jnp.bfloat16)
