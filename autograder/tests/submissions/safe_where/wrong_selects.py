# wrong: selects the positive counts; exercise: safe_where; must fail: outputs; says: must be known when compiling
@jax.jit
def log_factorial(y):
    y = y[y > 0]
    return 0.5 * jnp.log(2 * jnp.pi * y) + y * jnp.log(y) - y
