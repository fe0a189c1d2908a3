# wrong: a small number keeps zeros from dividing, and makes short steps shorter than longest; exercise: mixed_quiz_1_shorten; must fail: outputs; says: values differ
@jax.jit
def shorten(step, longest):
    length = jnp.sqrt(jnp.sum(step**2) + 1e-6)
    return jnp.minimum(1.0, longest / length) * step
