# wrong: counts the branches from 1; exercise: traced_branch_switch; must fail: outputs; says: expected
@jax.jit
def transform(counts, kind):
    return lax.switch(kind - 1, [jnp.log1p, jnp.sqrt, jnp.sign], counts)
