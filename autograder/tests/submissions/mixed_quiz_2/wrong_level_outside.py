# wrong: selects outside of the jitted function; exercise: mixed_quiz_2_level; must fail: outputs; says: bool
@jax.jit
def mean_log(found):
    return jnp.log(found).mean()


def level_where_found(counts):
    found = counts[counts > 0]
    return mean_log(found) if found.size else 0.0
