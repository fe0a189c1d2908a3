# wrong: a Python loop over a traced number; exercise: mixed_quiz_4_grown; must fail: outputs; says: A plain Python number is needed
@jax.jit
def grown(rate, start, years):
    x = start
    for _ in range(years):
        x = x + rate * x * (1 - x)
    return x
