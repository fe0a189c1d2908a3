# wrong: a Python loop; exercise: mixed_quiz_4_grown; must fail: compilations; says: loop
from functools import partial


@partial(jax.jit, static_argnames="years")
def grown(rate, start, years):
    x = start
    for _ in range(years):
        x = x + rate * x * (1 - x)
    return x
