# wrong: a scan for each chunk of ten years; exercise: mixed_quiz_4_grown; must fail: compilations; says: grows
from functools import partial


@partial(jax.jit, static_argnames="years")
def grown(rate, start, years):
    for first in range(0, years, 10):
        last = min(first + 10, years)
        start = jax.lax.fori_loop(first, last, lambda _, x: x + rate * x * (1 - x), start)
    return start
