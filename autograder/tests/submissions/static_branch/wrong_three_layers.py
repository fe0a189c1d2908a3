# wrong: three jitted layers, one after another; exercise: static_branch; must fail: compilations; says: programs
from functools import partial


@jax.jit
def plus_one(counts):
    return counts + 1


@partial(jax.jit, static_argnames="power")
def raised(x, power):
    return jnp.log(x) if power == 0 else x**power - 1


@partial(jax.jit, static_argnames="power")
def divided(x, power):
    return x if power == 0 else x / power


def box_cox(counts, power):
    return divided(raised(plus_one(counts), power), power)
