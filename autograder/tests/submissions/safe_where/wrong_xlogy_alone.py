# wrong: the slope of xlogy(y, y) at 0 is not finite; exercise: safe_where; must fail: outputs; says: the gradient is nan
@jax.jit
def log_factorial(y):
    safe = jnp.where(y == 0, 1.0, y)
    part = jax.scipy.special.xlogy(y, y) - y
    return jnp.where(y == 0, 0.0, 0.5 * jnp.log(2 * jnp.pi * safe)) + part
