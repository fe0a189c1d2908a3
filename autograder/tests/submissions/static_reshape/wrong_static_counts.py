# wrong: the table is static; exercise: static_reshape; must fail: outputs; says: must be hashable
@jax.jit(static_argnums=0)
def rank_abundance(counts):
    return jnp.sort((counts / counts.sum()).reshape(jnp.prod(jnp.array(counts.shape))))[::-1]
