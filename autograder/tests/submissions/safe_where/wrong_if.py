# wrong: a Python if on an array; exercise: safe_where; must fail: outputs; says: a whole array of them
@jax.jit
def log_factorial(y):
    if y == 0:
        return 0.0
    return 0.5 * jnp.log(2 * jnp.pi * y) + y * jnp.log(y) - y
