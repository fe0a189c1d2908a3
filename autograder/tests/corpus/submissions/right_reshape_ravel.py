# right: ravel and flip; exercise: static_reshape
@jax.jit
def rank_abundance(counts):
    return jnp.flip(jnp.sort(jnp.ravel(counts / counts.sum())))
