# wrong: 1000 stands for unseen taxa, and is the index of one in a long row; exercise: data_sizes_seen; must fail: outputs; says: the indices are
@partial(jax.jit, static_argnames="size")
def seen_taxa(counts, size):
    seen = counts > 0
    indices = jnp.sort(jnp.where(seen, jnp.arange(counts.size), 1000))
    padded = jnp.pad(indices, (0, size), constant_values=1000)[:size]
    return jnp.where(padded == 1000, -1, padded), seen.sum()
