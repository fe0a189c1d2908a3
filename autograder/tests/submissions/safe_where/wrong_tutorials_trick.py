# wrong: 1 in the place of 0, and nothing after; exercise: safe_where; must fail: outputs; says: because 0! is 1
@jax.jit
def log_factorial(y):
    y = y + (y == 0)
    return 0.5 * jnp.log(2 * jnp.pi * y) + y * jnp.log(y) - y
