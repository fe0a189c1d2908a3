# wrong: static, but handed over as an array; exercise: static_branch; must fail: outputs; says: must be hashable
@jax.jit(static_argnames="power")
def transform(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power


def box_cox(counts, power):
    return transform(counts, power=jnp.asarray(power))
