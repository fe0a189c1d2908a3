# wrong: a small number in the denominator; exercise: mixed_quiz_2_level; must fail: outputs; says: expected
@jax.jit
def level_where_found(counts):
    found = counts > 0
    return jnp.where(found, jnp.log(counts), 0).sum() / (found.sum() + 1e-3)
