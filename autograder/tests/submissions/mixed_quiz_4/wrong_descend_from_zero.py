# wrong: counts from 0; exercise: mixed_quiz_4_descend; must fail: outputs; says: expected
@jax.jit
def step(B, slope, count):
    return B - slope / count


def descend(B, slopes):
    for i, slope in enumerate(slopes):
        B = step(B, slope, i)
    return B
