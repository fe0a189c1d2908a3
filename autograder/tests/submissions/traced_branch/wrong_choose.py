# wrong: jnp.choose in its default mode; exercise: traced_branch_switch; must fail: outputs; says: mode="clip"
@jax.jit
def transform(counts, kind):
    return jnp.choose(kind, [jnp.log1p(counts), jnp.sqrt(counts), jnp.sign(counts)])
