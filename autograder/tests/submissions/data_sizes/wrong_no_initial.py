# wrong: the minimum has nothing to start from; exercise: data_sizes; must fail: outputs; says: initial
@jax.jit
def summarize(counts, chosen):
    rows = chosen[:, None]
    return counts.mean(axis=0, where=rows), counts.min(axis=0, where=rows)
