# wrong: the logarithm of a negative number; exercise: static_reshape; must fail: outputs; says: NaN usually comes from
@jax.jit
def rank_abundance(counts):
    return jnp.exp(jnp.log(-jnp.sort(-(counts / -counts.sum()).reshape(-1))))
