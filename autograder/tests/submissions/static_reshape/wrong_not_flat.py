# wrong: keeps the table's shape; exercise: static_reshape; must fail: outputs; says: has shape (4, 3), expected (12,)
@jax.jit
def rank_abundance(counts):
    shares = counts / counts.sum()
    return jnp.sort(shares.reshape(-1), descending=True).reshape(counts.shape)
