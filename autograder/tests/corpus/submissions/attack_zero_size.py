# attack: an empty array; exercise: static_reshape; must not gain: outputs; says: has shape (0,), expected (12,)
@jax.jit
def rank_abundance(counts):
    return jnp.zeros((0,), jnp.float32)
