# wrong: debug.print left in; exercise: static_branch; must fail: purity; says: jax.debug.print
@jax.jit(static_argnames="power")
def box_cox(counts, power):
    jax.debug.print("{}", counts)
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power
