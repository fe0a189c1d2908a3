# wrong: jit taken away; exercise: mixed_quiz_2_level; must fail: outputs; says: bool
def level_where_found(counts):
    found = counts[counts > 0]
    if found.size == 0:
        return 0.0
    return jnp.log(found).mean()
