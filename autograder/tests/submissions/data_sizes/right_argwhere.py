# right: argwhere with a size; exercise: data_sizes_seen
@partial(jax.jit, static_argnames=("size",))
def seen_taxa(counts, size):
    indices = jnp.argwhere(counts > 0, size=size, fill_value=-1)
    return indices.ravel(), (counts > 0).sum()
