# wrong: each entry by itself; exercise: mixed_quiz_1_shorten; must fail: outputs; says: values differ
@jax.jit
def shorten(step, longest):
    return jnp.clip(step, -longest, longest)
