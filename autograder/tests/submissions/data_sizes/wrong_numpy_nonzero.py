# wrong: NumPy's nonzero; exercise: data_sizes_seen; must fail: outputs; says: Use `jax.numpy`
@partial(jax.jit, static_argnames="size")
def seen_taxa(counts, size):
    indices = np.nonzero(counts > 0)[0]
    return indices[:size], len(indices)
