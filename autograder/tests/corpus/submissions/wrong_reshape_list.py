# wrong: returns a list of scalars; exercise: static_reshape; must fail: outputs; says: Return the same pieces
@jax.jit
def rank_abundance(counts):
    return list(jnp.sort((counts / counts.sum()).reshape(-1), descending=True))
