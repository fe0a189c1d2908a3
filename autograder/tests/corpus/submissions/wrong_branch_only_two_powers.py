# wrong: knows the powers 0 and 2 only; exercise: static_branch; must fail: outputs; says: values differ
@jax.jit(static_argnames="power")
def box_cox(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** 2 - 1) / 2
