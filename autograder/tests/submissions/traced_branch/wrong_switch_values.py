# wrong: values given to switch; exercise: traced_branch_switch; must fail: outputs; says: lambda:
@jax.jit
def transform(counts, kind):
    return lax.switch(
        kind, [jnp.log1p(counts), jnp.sqrt(counts), (counts > 0).astype(counts.dtype)]
    )
