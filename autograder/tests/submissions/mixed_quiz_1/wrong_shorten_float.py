# wrong: asks the tracer for a number; exercise: mixed_quiz_1_shorten; must fail: outputs; says: number
@jax.jit
def shorten(step, longest):
    length = float(jnp.sqrt(jnp.sum(step**2)))
    if length > longest:
        step = longest / length * step
    return step
