# wrong: jit taken away; exercise: mixed_quiz_4_descend; must fail: outputs; says: expected
count = 0


def step(B, slope):
    global count
    count = count + 1
    return B - slope / count


def descend(B, slopes):
    for slope in slopes:
        B = step(B, slope)
    return B
