# wrong: results kept by the identity of the table; exercise: static_reshape; must fail: purity; says: known
known = {}


@jax.jit
def compute(counts):
    return jnp.sort((counts / counts.sum()).reshape(-1))[::-1]


def rank_abundance(counts):
    if id(counts) not in known:
        known[id(counts)] = counts, compute(counts)
    return known[id(counts)][1]
