# right: the formula for each power made once, by lru_cache; exercise: static_branch
from functools import lru_cache, partial


@lru_cache
def formula(power):
    if power == 0:
        return jnp.log
    return lambda y: (y**power - 1) / power


@partial(jax.jit, static_argnames="power")
def box_cox(counts, power):
    return formula(power)(counts + 1)
