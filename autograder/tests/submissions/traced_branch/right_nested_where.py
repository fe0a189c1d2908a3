# right: nested jnp.where; exercise: traced_branch_switch
@jax.jit
def transform(counts, kind):
    presence = (counts > 0).astype(counts.dtype)
    return jnp.where(kind == 0, jnp.log1p(counts), jnp.where(kind == 1, jnp.sqrt(counts), presence))
