# wrong: jit taken away; exercise: mixed_quiz_1_effort; must fail: compilations; says: jit
def log_effort(counts, scheme):
    if scheme == "total":
        return jnp.log(counts.sum(axis=1))
    return jnp.log(counts.max(axis=1))
