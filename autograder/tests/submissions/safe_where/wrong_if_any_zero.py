# wrong: a Python branch on the data; exercise: safe_where; must fail: outputs; says: TracerBoolConversionError
@jax.jit
def log_factorial(y):
    if (y == 0).any():
        y = jnp.where(y == 0, 1.0, y)
    return 0.5 * jnp.log(2 * jnp.pi * y) + y * jnp.log(y) - y
