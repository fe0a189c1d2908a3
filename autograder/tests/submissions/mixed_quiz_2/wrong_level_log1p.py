# wrong: another logarithm; exercise: mixed_quiz_2_level; must fail: outputs; says: expected
@jax.jit
def level_where_found(counts):
    return jnp.log1p(counts).sum() / jnp.maximum((counts > 0).sum(), 1)
