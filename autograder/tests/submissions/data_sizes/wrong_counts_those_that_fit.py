# wrong: the number of taxa that fit; exercise: data_sizes_seen; must fail: outputs; says: the caller never notices
@partial(jax.jit, static_argnames="size")
def seen_taxa(counts, size):
    indices = jnp.nonzero(counts > 0, size=size, fill_value=-1)[0]
    return indices, (indices >= 0).sum()
