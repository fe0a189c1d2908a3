# right: each seen taxon put into its place; exercise: data_sizes_seen
@partial(jax.jit, static_argnames="size")
def seen_taxa(counts, size):
    seen = counts > 0
    place = jnp.where(seen, jnp.cumsum(seen) - 1, size)
    indices = jnp.full(size, -1).at[place].set(jnp.arange(counts.size), mode="drop")
    return indices, seen.sum(dtype=int)
