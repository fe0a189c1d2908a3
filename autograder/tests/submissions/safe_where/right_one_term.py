# right: Stirling's formula with its first correction, which is better, from above; exercise: safe_where
@jax.jit
def log_factorial(y):
    safe = jnp.where(y == 0, 1.0, y)
    stirling = 0.5 * jnp.log(2 * jnp.pi * safe) + safe * jnp.log(safe) - safe
    return jnp.where(y == 0, 0.0, stirling + 1 / (12 * safe))
