# wrong: log without the 1, infinite at zero counts; exercise: static_branch; must fail: outputs; says: result[0, 0] is -inf
@jax.jit(static_argnames="power")
def box_cox(counts, power):
    if power == 0:
        return jnp.log(counts)
    return ((counts + 1) ** power - 1) / power
