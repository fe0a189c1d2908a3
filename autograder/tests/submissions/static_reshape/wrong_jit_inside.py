# wrong: a new jitted lambda at each call; exercise: static_reshape; must fail: compilations; says: compiled again
def rank_abundance(counts):
    return jax.jit(lambda c: jnp.sort((c / c.sum()).reshape(-1), descending=True))(counts)
