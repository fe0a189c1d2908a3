# right: flatnonzero, and the number from the indices of all; exercise: data_sizes_seen
@partial(jax.jit, static_argnums=1)
def seen_taxa(counts, size):
    return jnp.flatnonzero(counts, size=size, fill_value=-1), jnp.count_nonzero(counts)
