# wrong: divides zero by zero where nothing was counted; exercise: static_reshape; must fail: outputs; says: NaN
@jax.jit
def rank_abundance(counts):
    shares = 1 / (counts.sum() / counts) * (counts / counts)
    return jnp.sort(shares.reshape(-1), descending=True)
