# wrong: multiplies, and begins with the counts: wrong for the powers 0 and -1; exercise: mixed_quiz_3_prepare; must fail: outputs; says: expected
@partial(jax.jit, static_argnames=("logs", "power"))
def prepare(Y, logs, power):
    base = jnp.log1p(Y) if logs else Y
    values = base
    for _ in range(power - 1):
        values = values * base
    return values - values.mean(axis=0)
