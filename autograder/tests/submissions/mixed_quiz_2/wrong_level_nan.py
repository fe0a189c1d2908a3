# wrong: NaN where it was found nowhere; exercise: mixed_quiz_2_level; must fail: outputs; says: nan
@jax.jit
def level_where_found(counts):
    return jnp.mean(jnp.log(counts), where=counts > 0)
