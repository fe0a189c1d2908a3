# wrong: masks by multiplication; exercise: safe_where; must fail: outputs; says: the gradient is nan
@jax.jit
def log_factorial(y):
    return (y > 0) * (0.5 * jnp.log(2 * jnp.pi * y) + y * jnp.log(y) - y)
