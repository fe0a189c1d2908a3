# wrong: a table of logarithms, up to the largest count of the oaks; exercise: static_branch; must fail: outputs; says: values differ
from functools import partial


@partial(jax.jit, static_argnames="power")
def box_cox(counts, power):
    if power == 0:
        logs = jnp.log(jnp.arange(1, 2230, dtype=jnp.float32))
        return logs[counts.astype(jnp.int32)]
    return ((counts + 1) ** power - 1) / power
