# wrong: prints while tracing; exercise: static_branch; must fail: purity; says: print
@jax.jit(static_argnames="power")
def box_cox(counts, power):
    print("power is", power)
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power
