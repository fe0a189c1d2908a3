# right: one more term of Stirling's series; exercise: safe_where
@jax.jit
def log_factorial(y):
    safe = jnp.where(y == 0, 1.0, y)
    stirling = 0.5 * jnp.log(2 * jnp.pi * safe) + safe * jnp.log(safe) - safe
    return jax.lax.select(
        y == 0, jnp.zeros_like(y), stirling + 1 / (12 * safe) - 1 / (360 * safe**3)
    )
