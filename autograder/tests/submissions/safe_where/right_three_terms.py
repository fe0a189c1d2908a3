# right: three terms of Stirling's series; exercise: safe_where
@jax.jit
def log_factorial(y):
    safe = jnp.where(y == 0, 1.0, y)
    stirling = 0.5 * jnp.log(2 * jnp.pi * safe) + safe * jnp.log(safe) - safe
    series = 1 / (12 * safe) - 1 / (360 * safe**3) + 1 / (1260 * safe**5)
    return jnp.where(y == 0, 0.0, stirling + series)
