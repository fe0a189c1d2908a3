# wrong: branch-free, but not jitted; exercise: static_branch; must fail: compilations
def box_cox(counts, power):
    safe = jnp.where(power == 0, 1, power)
    return jnp.where(power == 0, jnp.log(counts + 1), ((counts + 1) ** safe - 1) / safe)
