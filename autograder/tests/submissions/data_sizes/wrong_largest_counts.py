# wrong: the taxa with the largest counts; exercise: data_sizes_seen; must fail: outputs; says: the indices are
@partial(jax.jit, static_argnames="size")
def seen_taxa(counts, size):
    padded = jnp.pad(counts, (0, size))
    indices = jnp.argsort(padded, descending=True)[:size]
    return jnp.where(padded[indices] > 0, indices, -1), (counts > 0).sum()
