# right: no object at all; exercise: mixed_quiz_3_prepare
@partial(jax.jit, static_argnames=("logs", "power"))
def prepare(Y, logs, power):
    values = jnp.log1p(Y) if logs else Y
    values = values**power
    return values - jnp.mean(values, axis=0, keepdims=True)
