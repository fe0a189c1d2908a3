# right: where with a test alone; exercise: data_sizes_seen
@partial(jax.jit, static_argnames="size")
def seen_taxa(counts, size):
    seen = jnp.where(counts > 0, size=size, fill_value=-1)[0]
    return [seen, jnp.where(counts > 0, 1, 0).sum()]
