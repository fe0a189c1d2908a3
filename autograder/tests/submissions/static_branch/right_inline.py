# right: a jitted function with inline=True; exercise: static_branch
from functools import partial


@partial(jax.jit, static_argnames="power", inline=True)
def box_cox(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power
