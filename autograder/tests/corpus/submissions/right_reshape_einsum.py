# right: total by einsum over all axes; exercise: static_reshape
@jax.jit
def rank_abundance(counts):
    flat = counts.reshape(-1)
    total = jnp.einsum("i->", flat)
    return jnp.sort(flat / total, descending=True)
