# wrong: forgets to subtract 1; exercise: static_branch; must fail: outputs; says: values differ
@jax.jit(static_argnames="power")
def box_cox(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    return (counts + 1) ** power / power
