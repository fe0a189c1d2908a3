# wrong: totals kept by the identity of the table; exercise: mixed_quiz_1_rescale; must fail: purity, compilations; says: totals
totals = {}


@jax.jit
def compute(counts, total):
    return counts / total * total.mean()


def rescale(counts):
    if id(counts) not in totals:
        totals[id(counts)] = counts, counts.sum(axis=1, keepdims=True)
    return compute(counts, totals[id(counts)][1])
