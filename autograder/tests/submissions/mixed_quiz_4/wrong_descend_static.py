# wrong: a program for each count; exercise: mixed_quiz_4_descend; must fail: compilations; says: static
from functools import partial


@partial(jax.jit, static_argnames="count")
def step(B, slope, count):
    return B - slope / count


def descend(B, slopes):
    for i, slope in enumerate(slopes):
        B = step(B, slope, count=i + 1)
    return B
