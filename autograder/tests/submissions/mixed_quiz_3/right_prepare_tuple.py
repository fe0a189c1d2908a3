# right: a tuple as the static argument; exercise: mixed_quiz_3_prepare
@partial(jax.jit, static_argnums=1)
def prepared(Y, options):
    logs, power = options
    values = (jnp.log1p(Y) if logs else Y) ** power
    return values - values.mean(axis=0)


def prepare(Y, logs, power):
    return prepared(Y, (bool(logs), int(power)))
