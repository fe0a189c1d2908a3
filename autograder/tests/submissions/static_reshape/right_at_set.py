# right: fills a new array with at[].set; exercise: static_reshape
@jax.jit
def rank_abundance(counts):
    flat = jnp.zeros(counts.size, counts.dtype).at[:].set(counts.reshape(-1))
    return jnp.sort(flat / flat.sum(), descending=True)
