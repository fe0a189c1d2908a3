# wrong: shares, whose total is 1; exercise: mixed_quiz_1_rescale; must fail: outputs; says: values differ
@jax.jit
def rescale(counts):
    return counts / counts.sum(axis=1, keepdims=True)
