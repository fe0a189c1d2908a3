# right: keeps the variable, now a local one; exercise: mixed_quiz_1_rescale
mean_total = None


@jax.jit
def rescale(counts):
    mean_total = None
    totals = counts.sum(axis=1, keepdims=True)
    if mean_total is None:
        mean_total = totals.mean()
    return counts / totals * mean_total
