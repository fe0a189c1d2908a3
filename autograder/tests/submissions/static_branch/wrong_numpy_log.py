# wrong: NumPy on a tracer; exercise: static_branch; must fail: outputs; says: Use `jax.numpy`
import numpy as np


@jax.jit(static_argnames="power")
def box_cox(counts, power):
    if power == 0:
        return np.log(counts + 1)
    return ((counts + 1) ** power - 1) / power
