# wrong: the decorator is gone; exercise: static_reshape; must fail: compilations; says: Put the whole function under one jax.jit
def rank_abundance(counts):
    return jnp.sort((counts / counts.sum()).reshape(-1), descending=True)
