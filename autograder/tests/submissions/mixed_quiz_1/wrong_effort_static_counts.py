# wrong: the data are static; exercise: mixed_quiz_1_effort; must fail: outputs; says: hash
from functools import partial


@partial(jax.jit, static_argnums=(0, 1))
def log_effort(counts, scheme):
    if scheme == "total":
        return jnp.log(counts.sum(axis=1))
    return jnp.log(counts.max(axis=1))
