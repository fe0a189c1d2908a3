# attack: results of bool only; exercise: static_reshape; must not gain: outputs; says: is bool
@jax.jit
def rank_abundance(counts):
    return counts.reshape(-1) > 0
