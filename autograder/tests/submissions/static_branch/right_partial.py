# right: the form that works in all releases; exercise: static_branch
from functools import partial


@partial(jax.jit, static_argnums=(1,))
def box_cox(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power
