# wrong: looks at the clock; exercise: static_branch; must fail: purity; says: time
import time


@jax.jit(static_argnames="power")
def box_cox(counts, power):
    started = time.time()
    if power == 0:
        return jnp.log(counts + 1) + 0 * started
    return ((counts + 1) ** power - 1) / power
