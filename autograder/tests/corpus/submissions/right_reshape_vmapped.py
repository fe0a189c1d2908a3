# right: vmap of a helper over one batch axis; exercise: static_reshape
def _ranked(flat):
    return -jnp.sort(-flat) / flat.sum()


@jax.jit
def rank_abundance(counts):
    return jax.vmap(_ranked)(counts.reshape(1, -1))[0]
