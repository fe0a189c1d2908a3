# wrong: the default fill value; exercise: data_sizes_seen; must fail: outputs; says: the index of a taxon
@partial(jax.jit, static_argnames="size")
def seen_taxa(counts, size):
    return jnp.nonzero(counts > 0, size=size)[0], (counts > 0).sum()
