# right: nested lax.cond; exercise: traced_branch_switch
@jax.jit
def transform(counts, kind):
    return lax.cond(
        kind == 0,
        jnp.log1p,
        lambda y: lax.cond(kind == 1, jnp.sqrt, lambda z: jnp.sign(z), y),
        counts,
    )
