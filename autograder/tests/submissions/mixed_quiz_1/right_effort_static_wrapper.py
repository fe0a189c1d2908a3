# right: a plain function passes the boolean on; exercise: mixed_quiz_1_effort
from functools import partial


@partial(jax.jit, static_argnums=1)
def effort(counts, by_total):
    if by_total:
        return jnp.log(counts.sum(axis=1))
    return jnp.log(counts.max(axis=1))


def log_effort(counts, scheme):
    return effort(counts, scheme == "total")
