# right: where before and after; exercise: safe_where
@jax.jit
def log_factorial(y):
    safe = jnp.where(y > 0, y, 2.0)
    return jnp.where(y > 0, 0.5 * jnp.log(2 * jnp.pi * safe) + safe * jnp.log(safe) - safe, 0.0)
