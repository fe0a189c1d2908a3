# wrong: short steps are made longer; exercise: mixed_quiz_1_shorten; must fail: outputs; says: values differ
@jax.jit
def shorten(step, longest):
    length = jnp.sqrt(jnp.sum(step**2))
    return longest / length * step
