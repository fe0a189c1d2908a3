# wrong: only the sort is jitted; exercise: static_reshape; must fail: compilations; says: Put the whole function under one jax.jit
@jax.jit
def sort(x):
    return jnp.sort(x.reshape(-1), descending=True)


def rank_abundance(counts):
    return sort(counts / counts.sum())
