# right: total by a scan; exercise: static_reshape
@jax.jit
def rank_abundance(counts):
    flat = counts.reshape(-1)
    total, _ = jax.lax.scan(lambda s, x: (s + x, None), jnp.zeros((), flat.dtype), flat)
    return jnp.sort(flat / total, descending=True)
