# wrong: returns a pair; exercise: static_branch; must fail: outputs; says: Return the same pieces
@jax.jit(static_argnames="power")
def box_cox(counts, power):
    if power == 0:
        return jnp.log(counts + 1), power
    return ((counts + 1) ** power - 1) / power, power
