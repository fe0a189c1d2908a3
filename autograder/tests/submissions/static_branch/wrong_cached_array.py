# wrong: lru_cache on a function of arrays; exercise: static_branch; must fail: outputs; says: lru_cache
from functools import lru_cache, partial


@lru_cache
def shifted(counts):
    return counts + 1


@partial(jax.jit, static_argnames="power")
def box_cox(counts, power):
    if power == 0:
        return jnp.log(shifted(counts))
    return (shifted(counts) ** power - 1) / power
