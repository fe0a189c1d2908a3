# wrong: computes it anew, and still stores it; exercise: mixed_quiz_1_rescale; must fail: purity; says: mean_total
mean_total = None


@jax.jit
def rescale(counts):
    global mean_total
    totals = counts.sum(axis=1, keepdims=True)
    mean_total = totals.mean()
    return counts / totals * mean_total
