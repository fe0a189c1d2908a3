# wrong: a new jitted function at each call; exercise: mixed_quiz_1_effort; must fail: compilations; says: new function object each time
def log_effort(counts, scheme):
    if scheme == "total":
        return jax.jit(lambda y: jnp.log(y.sum(axis=1)))(counts)
    return jax.jit(lambda y: jnp.log(y.max(axis=1)))(counts)
