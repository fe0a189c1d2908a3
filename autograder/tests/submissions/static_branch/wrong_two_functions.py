# wrong: two jitted functions, chosen by Python; exercise: static_branch; must fail: compilations; says: the task asks for one
from functools import partial


@jax.jit
def logs(counts):
    return jnp.log(counts + 1)


@partial(jax.jit, static_argnames="power")
def powers(counts, power):
    return ((counts + 1) ** power - 1) / power


def box_cox(counts, power):
    if power == 0:
        return logs(counts)
    return powers(counts, power)
