# attack: results of key only; exercise: static_reshape; must not gain: outputs; says: has shape (2,)
@jax.jit
def rank_abundance(counts):
    return jax.random.key(0)
