# wrong: counts static in place of power; exercise: static_branch; must fail: outputs; says: must be hashable
@jax.jit(static_argnums=0)
def box_cox(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power
