# wrong: the mean total of the oaks; exercise: mixed_quiz_1_rescale; must fail: outputs; says: values differ
mean_total = float(counts.sum(axis=1).mean())


@jax.jit
def rescale(counts):
    totals = counts.sum(axis=1, keepdims=True)
    return counts / totals * mean_total
