# wrong: right, and not jitted; exercise: mixed_quiz_1_rescale; must fail: compilations; says: jit
def rescale(counts):
    totals = counts.sum(axis=1, keepdims=True)
    return counts / totals * totals.mean()
