# wrong: divides by all sites; exercise: mixed_quiz_2_level; must fail: outputs; says: expected
@jax.jit
def level_where_found(counts):
    return jnp.log(jnp.where(counts > 0, counts, 1.0)).mean()
