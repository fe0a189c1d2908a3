# wrong: a list as the static argument; exercise: mixed_quiz_3_prepare; must fail: outputs; says: hash
@partial(jax.jit, static_argnames="options")
def prepared(Y, options):
    values = (jnp.log1p(Y) if options[0] else Y) ** options[1]
    return values - values.mean(axis=0)


def prepare(Y, logs, power):
    return prepared(Y, options=[logs, power])
