# wrong: results cached by shape; exercise: static_branch; must fail: purity; says: a tracer is left in `known
from functools import partial

known = {}


@partial(jax.jit, static_argnames="power")
def transform(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power


def box_cox(counts, power):
    key = counts.shape, power
    if key not in known:
        known[key] = transform(counts, power)
    return known[key]
