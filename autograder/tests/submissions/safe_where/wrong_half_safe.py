# wrong: one of the logarithms still sees the zero; exercise: safe_where; must fail: outputs; says: the gradient is nan
@jax.jit
def log_factorial(y):
    safe = jnp.where(y == 0, 1.0, y)
    stirling = 0.5 * jnp.log(2 * jnp.pi * y) + safe * jnp.log(safe) - safe
    return jnp.where(y == 0, 0.0, stirling)
