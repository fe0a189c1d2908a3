# wrong: two jitted functions, chosen by Python; exercise: data_sizes_seen; must fail: compilations; says: the task asks for one
@partial(jax.jit, static_argnames="size")
def first_taxa(counts, size):
    seen = counts > 0
    return jnp.nonzero(seen, size=size, fill_value=-1)[0], seen.sum()


@partial(jax.jit, static_argnames="size")
def padded_taxa(counts, size):
    seen = counts > 0
    indices = jnp.nonzero(seen, size=counts.size, fill_value=-1)[0]
    return jnp.pad(indices, (0, size - counts.size), constant_values=-1), seen.sum()


def seen_taxa(counts, size):
    if size > counts.shape[0]:
        return padded_taxa(counts, size)
    return first_taxa(counts, size)
