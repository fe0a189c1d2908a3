# wrong: size is not static; exercise: data_sizes_seen; must fail: outputs; says: known
@jax.jit
def seen_taxa(counts, size):
    return jnp.nonzero(counts > 0, size=size, fill_value=-1)[0], (counts > 0).sum()
