# wrong: the test as a weight, and 0 * inf is nan; exercise: mixed_quiz_1_shorten; must fail: outputs; says: nan
@jax.jit
def shorten(step, longest):
    length = jnp.sqrt(jnp.sum(step**2))
    too_long = length > longest
    return too_long * (longest / length) * step + ~too_long * step
