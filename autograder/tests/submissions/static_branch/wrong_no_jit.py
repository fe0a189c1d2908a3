# wrong: the decorator is gone; exercise: static_branch; must fail: compilations; says: Put the whole function under one jax.jit
def box_cox(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power
