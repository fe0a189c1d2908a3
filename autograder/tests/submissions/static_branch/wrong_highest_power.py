# wrong: all powers above 2 are taken for 3; exercise: static_branch; must fail: outputs; says: values differ
from functools import partial


@partial(jax.jit, static_argnames="power")
def box_cox(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    if power == 1:
        return counts
    if power == 2:
        return ((counts + 1) ** 2 - 1) / 2
    return ((counts + 1) ** 3 - 1) / 3
