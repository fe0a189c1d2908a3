# wrong: forgets the third kind; exercise: traced_branch_switch; must fail: outputs; says: expected
@jax.jit
def transform(counts, kind):
    return lax.cond(kind == 0, jnp.log1p, jnp.sqrt, counts)
