# wrong: no gradient through the loop; exercise: mixed_quiz_4_grown; must fail: outputs; says: result.gradient
@jax.jit
def grown(rate, start, years):
    rate = jax.lax.stop_gradient(rate)
    return jax.lax.fori_loop(0, years, lambda _, x: x + rate * x * (1 - x), start)
