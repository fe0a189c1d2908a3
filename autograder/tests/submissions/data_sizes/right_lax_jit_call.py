# right: jit as a function, with nonzero for all places first; exercise: data_sizes_seen
def _seen_taxa(counts, size):
    padded = jnp.pad(counts, (0, size))
    indices = jnp.nonzero(padded, size=padded.size, fill_value=-1)[0]
    return indices[:size], jnp.sum(indices >= 0)


seen_taxa = jax.jit(_seen_taxa, static_argnames=["size"])
