# right: jnp.select; exercise: traced_branch_switch
@jax.jit
def transform(counts, kind):
    return jnp.select(
        [kind == 0, kind == 1], [jnp.log1p(counts), jnp.sqrt(counts)], jnp.minimum(counts, 1)
    )
