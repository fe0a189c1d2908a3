# wrong: makes an array of the static power; exercise: static_branch; must fail: outputs; says: Nothing has to become static
from functools import partial


@partial(jax.jit, static_argnames="power")
def box_cox(counts, power):
    power = jnp.asarray(power)
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power
