# wrong: one year too many; exercise: mixed_quiz_4_grown; must fail: outputs; says: expected
from functools import partial


@partial(jax.jit, static_argnames="years")
def grown(rate, start, years):
    return jax.lax.fori_loop(0, years + 1, lambda _, x: x + rate * x * (1 - x), start)
