# wrong: int() of a tracer; exercise: traced_branch_switch; must fail: outputs; says: tracer
@jax.jit
def transform(counts, kind):
    return [jnp.log1p, jnp.sqrt, jnp.sign][int(kind)](counts)
