# wrong: the functions in another order; exercise: traced_branch_switch; must fail: outputs; says: expected
@jax.jit
def transform(counts, kind):
    return lax.switch(kind, [jnp.sqrt, jnp.log1p, jnp.sign], counts)
