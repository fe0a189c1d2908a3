# attack: no results at all; exercise: static_reshape; must not gain: outputs; says: returns nothing
@jax.jit
def rank_abundance(counts):
    return ()
