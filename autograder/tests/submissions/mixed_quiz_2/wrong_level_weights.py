# wrong: the test as a weight, and 0 * inf is nan; exercise: mixed_quiz_2_level; must fail: outputs; says: nan
@jax.jit
def level_where_found(counts):
    weight = jnp.where(counts > 0, 1.0, 0.0)
    return (weight * jnp.log(counts)).sum() / jnp.maximum(weight.sum(), 1)
