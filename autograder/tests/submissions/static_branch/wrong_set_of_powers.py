# wrong: the powers traced so far are kept in a set; exercise: static_branch; must fail: purity; says: changes from a set of 0
from functools import partial

compiled = set()


@partial(jax.jit, static_argnames="power")
def box_cox(counts, power):
    compiled.add(power)
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power
