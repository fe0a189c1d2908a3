# wrong: the decorator is gone; exercise: safe_where; must fail: compilations; says: one jax.jit
def log_factorial(y):
    safe = jnp.where(y == 0, 1.0, y)
    return jnp.where(y == 0, 0.0, 0.5 * jnp.log(2 * jnp.pi * safe) + safe * jnp.log(safe) - safe)
