# wrong: the length of the filled array; exercise: data_sizes_seen; must fail: outputs; says: however many taxa were seen
@partial(jax.jit, static_argnames="size")
def seen_taxa(counts, size):
    indices = jnp.nonzero(counts > 0, size=size, fill_value=-1)[0]
    return indices, len(indices)
