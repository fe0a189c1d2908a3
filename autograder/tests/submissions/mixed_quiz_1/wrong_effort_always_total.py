# wrong: one scheme only; exercise: mixed_quiz_1_effort; must fail: outputs; says: values differ
from functools import partial


@partial(jax.jit, static_argnames="scheme")
def log_effort(counts, scheme="total"):
    return jnp.log(counts.sum(axis=1))
