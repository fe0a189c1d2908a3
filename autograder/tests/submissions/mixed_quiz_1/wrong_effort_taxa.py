# wrong: one number for each taxon; exercise: mixed_quiz_1_effort; must fail: outputs; says: shape
from functools import partial


@partial(jax.jit, static_argnames="scheme")
def log_effort(counts, scheme):
    if scheme == "total":
        return jnp.log(counts.sum(axis=0))
    return jnp.log(counts.max(axis=0))
