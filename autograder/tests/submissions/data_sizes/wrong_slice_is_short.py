# wrong: as many places as taxa at most; exercise: data_sizes_seen; must fail: outputs; says: an array of length 12
@partial(jax.jit, static_argnames="size")
def seen_taxa(counts, size):
    indices = jnp.nonzero(counts > 0, size=counts.size, fill_value=-1)[0]
    return indices[:size], (counts > 0).sum()
