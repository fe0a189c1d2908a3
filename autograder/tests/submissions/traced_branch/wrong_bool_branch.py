# wrong: one branch gives booleans; exercise: traced_branch_switch; must fail: outputs; says: same dtype
@jax.jit
def transform(counts, kind):
    return lax.switch(kind, [jnp.log1p, jnp.sqrt, lambda y: y > 0], counts)
