# wrong: the decorator is gone; exercise: static_branch; must fail: compilations
def box_cox(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power
