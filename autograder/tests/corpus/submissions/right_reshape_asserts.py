# right: checks shapes while tracing; exercise: static_reshape
@jax.jit
def rank_abundance(counts):
    assert counts.ndim >= 1, counts.shape
    if counts.size == 0:
        raise ValueError("empty table")
    return jnp.sort((counts / counts.sum()).reshape(-1), descending=True)
