# wrong: adds a tiny random number; exercise: static_branch; must fail: purity; says: random
import numpy as np


@jax.jit(static_argnames="power")
def box_cox(counts, power):
    jitter = 0 * np.random.rand()
    if power == 0:
        return jnp.log(counts + 1) + jitter
    return ((counts + 1) ** power - 1) / power + jitter
