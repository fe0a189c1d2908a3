# wrong: right, and not jitted; exercise: mixed_quiz_4_descend; must fail: compilations; says: jit
def descend(B, slopes):
    for i, slope in enumerate(slopes):
        B = B - slope / (i + 1)
    return B
