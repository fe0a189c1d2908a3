# wrong: static_argnames names no argument; exercise: static_branch; must fail: outputs; says: Spell names as in the `def` line
@jax.jit(static_argnames="p")
def box_cox(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power
