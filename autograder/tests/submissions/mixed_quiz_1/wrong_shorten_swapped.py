# wrong: the two choices in the other order; exercise: mixed_quiz_1_shorten; must fail: outputs; says: values differ
@jax.jit
def shorten(step, longest):
    length = jnp.sqrt(jnp.sum(step**2))
    return jnp.where(length > longest, 1, longest / length) * step
