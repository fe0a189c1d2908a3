# right: the setting chooses one of two jitted functions; exercise: mixed_quiz_1_effort
efforts = {
    "total": jax.jit(lambda counts: jnp.log(counts.sum(axis=1))),
    "largest": jax.jit(lambda counts: jnp.log(counts.max(axis=1))),
}


def log_effort(counts, scheme):
    return efforts[scheme](counts)
