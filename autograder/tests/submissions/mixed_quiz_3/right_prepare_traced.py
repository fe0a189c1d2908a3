# right: both settings traced, one program for all; exercise: mixed_quiz_3_prepare
@jax.jit
def prepare(Y, logs, power):
    values = jnp.where(logs, jnp.log1p(Y), Y) ** power
    return values - values.mean(axis=0)
