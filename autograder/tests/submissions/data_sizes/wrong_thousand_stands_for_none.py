# wrong: 1000 in the other rows, which is not more than every count; exercise: data_sizes; must fail: outputs; says: the smallest count of taxon
@jax.jit
def summarize(counts, chosen):
    rows, n = chosen[:, None], chosen.sum()
    mean = jnp.where(rows, counts, 0).sum(axis=0) / jnp.maximum(n, 1)
    smallest = jnp.where(rows, counts, 1000).min(axis=0)
    return mean, jnp.where(n > 0, smallest, 0)
