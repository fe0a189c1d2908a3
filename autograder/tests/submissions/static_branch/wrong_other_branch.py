# wrong: divides by power 0; exercise: static_branch; must fail: outputs; says: NaN comes from
@jax.jit
def box_cox(counts, power):
    return ((counts + 1) ** power - 1) / power
