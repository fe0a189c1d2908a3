# wrong: keeps a set of shapes seen and acts on it; exercise: static_reshape; must fail: purity; says: seen
seen = []


@jax.jit
def rank_abundance(counts):
    seen.append(counts.shape)
    return jnp.sort((counts / counts.sum()).reshape(-1), descending=True)
