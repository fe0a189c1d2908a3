# wrong: the logarithm of the counts alone; exercise: traced_branch_switch; must fail: outputs; says: logarithm of 0
@jax.jit
def transform(counts, kind):
    return lax.switch(kind, [jnp.log, jnp.sqrt, lambda y: (y > 0).astype(y.dtype)], counts)
