# wrong: the counts in the place of the indices; exercise: data_sizes_seen; must fail: outputs; says: expected integers
@partial(jax.jit, static_argnames="size")
def seen_taxa(counts, size):
    indices = jnp.nonzero(counts > 0, size=size, fill_value=counts.size)[0]
    return counts.at[indices].get(mode="fill", fill_value=-1), (counts > 0).sum()
