# wrong: uses all leaves; exercise: data_sizes; must fail: outputs; says: that of all leaves
@jax.jit
def summarize(counts, chosen):
    return counts.mean(axis=0) * chosen.any(), counts.min(axis=0) * chosen.any()
