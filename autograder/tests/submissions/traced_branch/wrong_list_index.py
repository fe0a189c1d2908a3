# wrong: a Python list indexed by a tracer; exercise: traced_branch_switch; must fail: outputs; says: lax.switch
@jax.jit
def transform(counts, kind):
    return [jnp.log1p, jnp.sqrt, jnp.sign][kind](counts)
