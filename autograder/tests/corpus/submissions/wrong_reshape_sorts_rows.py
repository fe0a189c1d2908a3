# wrong: sorts each row before flattening; exercise: static_reshape; must fail: outputs; says: another order
@jax.jit
def rank_abundance(counts):
    return jnp.sort(counts / counts.sum(), axis=-1, descending=True).reshape(-1)
