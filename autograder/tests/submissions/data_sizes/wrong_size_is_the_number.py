# wrong: as many places as taxa seen; exercise: data_sizes_seen; must fail: outputs; says: known
@partial(jax.jit, static_argnames="size")
def seen_taxa(counts, size):
    number = (counts > 0).sum()
    return jnp.nonzero(counts > 0, size=number, fill_value=-1)[0], number
