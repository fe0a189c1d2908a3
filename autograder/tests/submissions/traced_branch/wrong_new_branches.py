# wrong: a new jitted lambda at each call; exercise: traced_branch_switch; must fail: compilations; says: compiled again
def transform(counts, kind):
    return jax.jit(lambda y, k: lax.switch(k, [jnp.log1p, jnp.sqrt, jnp.sign], y))(counts, kind)
