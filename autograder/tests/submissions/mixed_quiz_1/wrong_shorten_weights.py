# wrong: the test as a weight, and 0 * inf is nan; exercise: mixed_quiz_1_shorten; must fail: outputs; says: nan
@jax.jit
def shorten(step, longest):
    length = jnp.sqrt(jnp.sum(step**2))
    too_long = jnp.where(length > longest, 1.0, 0.0)
    return too_long * (longest / length) * step + (1 - too_long) * step
