# wrong: a scan that unrolls all its steps; exercise: mixed_quiz_4_grown; must fail: compilations; says: grows
from functools import partial


@partial(jax.jit, static_argnames="years")
def grown(rate, start, years):
    x, _ = jax.lax.scan(
        lambda x, _: (x + rate * x * (1 - x), None), start, length=years, unroll=True
    )
    return x
