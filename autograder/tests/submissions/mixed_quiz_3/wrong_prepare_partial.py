# wrong: a new jitted function at each call; exercise: mixed_quiz_3_prepare; must fail: compilations; says: again
def prepared(Y, logs, power):
    values = (jnp.log1p(Y) if logs else Y) ** power
    return values - values.mean(axis=0)


def prepare(Y, logs, power):
    return jax.jit(lambda Y: prepared(Y, logs, power))(Y)
