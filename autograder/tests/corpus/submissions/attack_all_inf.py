# attack: results of inf only; exercise: static_reshape; must not gain: outputs; says: result[0] is inf
@jax.jit
def rank_abundance(counts):
    return counts.reshape(-1) + jnp.inf
