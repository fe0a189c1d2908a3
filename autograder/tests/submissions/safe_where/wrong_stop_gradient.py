# wrong: stops the gradient everywhere; exercise: safe_where; must fail: outputs; says: the slope of log y! is
@jax.jit
def log_factorial(y):
    safe = jax.lax.stop_gradient(jnp.where(y == 0, 1.0, y))
    return jnp.where(y == 0, 0.0, 0.5 * jnp.log(2 * jnp.pi * safe) + safe * jnp.log(safe) - safe)
