# wrong: smallest first; exercise: static_reshape; must fail: outputs; says: another order
@jax.jit
def rank_abundance(counts):
    return jnp.sort((counts / counts.sum()).reshape(-1))
