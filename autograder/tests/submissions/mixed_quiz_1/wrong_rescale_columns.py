# wrong: the totals of the taxa; exercise: mixed_quiz_1_rescale; must fail: outputs; says: differ
@jax.jit
def rescale(counts):
    totals = 1e-9 + counts.sum(axis=0, keepdims=True)
    return counts / totals * totals.mean()
