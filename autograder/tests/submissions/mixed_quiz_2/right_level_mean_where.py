# right: mean with where, and the empty selection apart; exercise: mixed_quiz_2_level
@jax.jit
def level_where_found(counts):
    found = counts > 0
    mean = jnp.mean(jnp.log(counts), where=found)
    return jnp.where(found.any(), mean, 0.0)
