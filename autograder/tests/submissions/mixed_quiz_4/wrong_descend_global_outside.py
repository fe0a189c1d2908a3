# wrong: the count is passed, and still a global; exercise: mixed_quiz_4_descend; must fail: purity; says: count
count = 0


@jax.jit
def step(B, slope, count):
    return B - slope / count


def descend(B, slopes):
    global count
    count = 0
    for slope in slopes:
        count = count + 1
        B = step(B, slope, count)
    return B
