# wrong: leaves the zeros of the chosen leaves out; exercise: data_sizes; must fail: outputs; says: the smallest count of taxon
@jax.jit
def summarize(counts, chosen):
    rows, n = chosen[:, None], chosen.sum()
    mean = jnp.where(rows, counts, 0).sum(axis=0) / jnp.maximum(n, 1)
    smallest = jnp.min(counts, axis=0, where=rows & (counts > 0), initial=jnp.inf)
    return mean, jnp.where(n > 0, smallest, 0)
