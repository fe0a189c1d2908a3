# wrong: multiplies power times, which negative powers are not; exercise: static_branch; must fail: outputs; says: values differ
from functools import partial


@partial(jax.jit, static_argnames="power")
def box_cox(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    product = jnp.ones_like(counts)
    for _ in range(power):
        product = product * (counts + 1)
    return (product - 1) / power
