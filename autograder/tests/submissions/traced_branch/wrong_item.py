# wrong: chooses in Python, outside of jit; exercise: traced_branch_switch; must fail: outputs; says: plain Python number
@jax.jit
def present(y):
    return (y > 0).astype(y.dtype)


def transform(counts, kind):
    return [jax.jit(jnp.log1p), jax.jit(jnp.sqrt), present][kind.item()](counts)
