# wrong: jit taken away; exercise: mixed_quiz_3_prepare; must fail: compilations; says: jit
def prepare(Y, logs, power):
    values = (jnp.log1p(Y) if logs else Y) ** power
    return values - values.mean(axis=0)
