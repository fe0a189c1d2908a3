# wrong: the decorator is gone; exercise: data_sizes_seen; must fail: compilations; says: jax.jit
def seen_taxa(counts, size):
    seen = counts > 0
    return jnp.nonzero(seen, size=size, fill_value=-1)[0], seen.sum()
