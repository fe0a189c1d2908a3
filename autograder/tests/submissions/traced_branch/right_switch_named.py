# right: lax.switch; exercise: traced_branch_switch
def presence(y):
    return jnp.where(y > 0, 1, 0).astype(y.dtype)


@jax.jit
def transform(counts, kind):
    return lax.switch(kind, (jnp.log1p, jnp.sqrt, presence), counts)
