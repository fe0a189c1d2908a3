# wrong: a new jitted function at each call; exercise: data_sizes_seen; must fail: compilations; says: new function object
def seen_taxa(counts, size):
    @jax.jit
    def of_size(counts):
        seen = counts > 0
        return jnp.nonzero(seen, size=size, fill_value=-1)[0], seen.sum()

    return of_size(counts)
