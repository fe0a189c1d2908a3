# wrong: results kept by the identity of the mask; exercise: data_sizes; must fail: purity; says: known
known = {}


@jax.jit
def compute(counts, chosen):
    rows = chosen[:, None]
    mean = jnp.where(rows, counts, 0).sum(axis=0) / jnp.maximum(chosen.sum(), 1)
    smallest = jnp.where(rows, counts, jnp.inf).min(axis=0)
    return mean, jnp.where(chosen.any(), smallest, 0)


def summarize(counts, chosen):
    if id(chosen) not in known:
        known[id(chosen)] = chosen, compute(counts, chosen)
    return known[id(chosen)][1]
