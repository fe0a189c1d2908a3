# wrong: jit taken away, and the first table's mean kept; exercise: mixed_quiz_1_rescale; must fail: outputs; says: tracer
mean_total = None


def rescale(counts):
    global mean_total
    totals = counts.sum(axis=1, keepdims=True)
    if mean_total is None:
        mean_total = totals.mean()
    return counts / totals * mean_total
