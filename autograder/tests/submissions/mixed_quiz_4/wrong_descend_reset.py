# wrong: the counter begins anew, and is still not counted; exercise: mixed_quiz_4_descend; must fail: outputs; says: expected
count = 0


@jax.jit
def step(B, slope):
    global count
    count = count + 1
    return B - slope / count


def descend(B, slopes):
    global count
    count = 0
    for slope in slopes:
        B = step(B, slope)
    return B
