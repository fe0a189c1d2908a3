# right: a safe argument, masked by multiplication; exercise: safe_where
@jax.jit
def log_factorial(y):
    safe = jnp.where(y == 0, 1.0, y)
    return (y > 0) * (0.5 * jnp.log(2 * jnp.pi * safe) + safe * jnp.log(safe) - safe)
