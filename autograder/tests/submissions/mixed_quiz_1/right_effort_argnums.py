# right: static by position, jitted by assignment; exercise: mixed_quiz_1_effort
def _log_effort(counts, scheme):
    largest = scheme == "largest"
    return jnp.log(jnp.max(counts, 1) if largest else jnp.sum(counts, 1))


log_effort = jax.jit(_log_effort, static_argnums=(1,))
