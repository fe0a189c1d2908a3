# wrong: leaves the total in a global; exercise: static_reshape; must fail: purity; says: total
total = None


@jax.jit
def rank_abundance(counts):
    global total
    total = counts.sum()
    return jnp.sort((counts / total).reshape(-1), descending=True)
