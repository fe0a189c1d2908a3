# wrong: the longest length as a setting; exercise: mixed_quiz_1_shorten; must fail: outputs; says: hash
from functools import partial


@partial(jax.jit, static_argnames="longest")
def shorten(step, longest):
    length = jnp.sqrt(jnp.sum(step**2))
    return jnp.where(length > longest, longest / length, 1) * step
