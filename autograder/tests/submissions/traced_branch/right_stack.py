# right: an array of all three, indexed; exercise: traced_branch_switch
@jax.jit
def transform(counts, kind):
    return jnp.stack([jnp.log1p(counts), jnp.sqrt(counts), jnp.sign(counts)])[kind]
