# wrong: centred before the power; exercise: mixed_quiz_3_prepare; must fail: outputs; says: expected
@partial(jax.jit, static_argnames=("logs", "power"))
def prepare(Y, logs, power):
    values = jnp.log1p(Y) if logs else Y
    return (values - values.mean(axis=0)) ** power
