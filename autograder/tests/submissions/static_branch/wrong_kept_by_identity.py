# wrong: results kept by the identity of the counts; exercise: static_branch; must fail: purity; says: known
from functools import partial

known = {}


@partial(jax.jit, static_argnames="power")
def transform(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power


def box_cox(counts, power):
    key = id(counts), power
    if key not in known:
        known[key] = counts, transform(counts, power)
    return known[key][1]
