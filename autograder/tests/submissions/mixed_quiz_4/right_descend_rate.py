# right: the step takes a rate; exercise: mixed_quiz_4_descend
@jax.jit
def step(B, slope, rate):
    return B - rate * slope


def descend(B, slopes):
    for count in range(1, len(slopes) + 1):
        B = step(B, slopes[count - 1], 1 / count)
    return B
