# wrong: keeps the mean of each shape; exercise: mixed_quiz_1_rescale; must fail: purity; says: a tracer is left in
means = {}


@jax.jit
def rescale(counts):
    totals = counts.sum(axis=1, keepdims=True)
    means[counts.shape] = totals.mean()
    return counts / totals * means[counts.shape]
