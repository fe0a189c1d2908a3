# wrong: jnp.nonzero returns a tuple, and it is returned as it is; exercise: data_sizes_seen; must fail: outputs; says: result[0][0]
@partial(jax.jit, static_argnames="size")
def seen_taxa(counts, size):
    return jnp.nonzero(counts > 0, size=size, fill_value=-1), (counts > 0).sum()
