# wrong: maximum shares the gradient at 1; exercise: safe_where; must fail: outputs; says: each gets half
@jax.jit
def log_factorial(y):
    safe = jnp.maximum(y, 1.0)
    return jnp.where(y == 0, 0.0, 0.5 * jnp.log(2 * jnp.pi * safe) + safe * jnp.log(safe) - safe)
