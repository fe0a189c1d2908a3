# wrong: log1p of counts + 1; exercise: static_branch; must fail: outputs; says: values differ
@jax.jit(static_argnames="power")
def box_cox(counts, power):
    if power == 0:
        return jnp.log1p(counts + 1)
    return ((counts + 1) ** power - 1) / power
