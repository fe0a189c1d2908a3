# right: argsort and take; exercise: static_reshape
@jax.jit
def rank_abundance(counts):
    shares = (counts / counts.sum()).ravel()
    return shares[jnp.argsort(-shares)]
