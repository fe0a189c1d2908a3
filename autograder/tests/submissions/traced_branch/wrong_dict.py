# wrong: a dictionary asked for a tracer; exercise: traced_branch_switch; must fail: outputs; says: lax.switch
@jax.jit
def transform(counts, kind):
    return {0: jnp.log1p, 1: jnp.sqrt, 2: jnp.sign}[kind](counts)
