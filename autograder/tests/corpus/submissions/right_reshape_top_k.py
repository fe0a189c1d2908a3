# right: lax.top_k of everything; exercise: static_reshape
@jax.jit
def rank_abundance(counts):
    return jax.lax.top_k((counts / counts.sum()).reshape(-1), counts.size)[0]
