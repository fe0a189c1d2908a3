# right: lax.sort of the negated shares; exercise: static_reshape
@jax.jit
def rank_abundance(counts):
    return -jax.lax.sort(-(counts / jnp.sum(counts)).reshape((-1,)))
