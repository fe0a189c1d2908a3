# right: lax.cond; exercise: mixed_quiz_1_shorten
from jax import lax


@jax.jit
def shorten(step, longest):
    length = jnp.sqrt(jnp.sum(step**2))
    return lax.cond(length > longest, lambda s: longest / length * s, lambda s: s, step)
