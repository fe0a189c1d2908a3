# right: flatten, total last; exercise: static_reshape
@jax.jit
def rank_abundance(counts):
    flat = counts.flatten()
    return -jnp.sort(-flat) / flat.sum()
