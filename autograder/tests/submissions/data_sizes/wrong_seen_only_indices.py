# wrong: forgets the number; exercise: data_sizes_seen; must fail: outputs; says: two things
@partial(jax.jit, static_argnames="size")
def seen_taxa(counts, size):
    return jnp.nonzero(counts > 0, size=size, fill_value=-1)[0]
