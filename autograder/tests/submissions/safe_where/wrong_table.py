# wrong: a table, looked up by an integer; exercise: safe_where; must fail: outputs; says: flows back through an index
@jax.jit
def log_factorial(y):
    table = jnp.cumsum(jnp.log(jnp.maximum(jnp.arange(1000), 1)))
    return table[y.astype(int)]
