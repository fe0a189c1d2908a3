# wrong: Python's sorted; exercise: static_reshape; must fail: outputs; says: jnp.sort
@jax.jit
def rank_abundance(counts):
    shares = counts / counts.sum()
    return sorted(shares.reshape(-1), reverse=True)
