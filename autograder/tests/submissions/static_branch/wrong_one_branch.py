# wrong: the if is gone with one of its branches; exercise: static_branch; must fail: outputs; says: expected
@jax.jit
def box_cox(counts, power):
    return jnp.log(counts + 1)
