# wrong: jit taken away; exercise: mixed_quiz_4_grown; must fail: compilations; says: jit
def grown(rate, start, years):
    return jax.lax.fori_loop(0, years, lambda _, x: x + rate * x * (1 - x), start)
