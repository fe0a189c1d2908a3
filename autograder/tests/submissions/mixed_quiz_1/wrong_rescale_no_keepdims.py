# wrong: the totals lose their axis; exercise: mixed_quiz_1_rescale; must fail: outputs; says: keepdims
@jax.jit
def rescale(counts):
    totals = counts.sum(axis=1)
    return counts / totals * totals.mean()
