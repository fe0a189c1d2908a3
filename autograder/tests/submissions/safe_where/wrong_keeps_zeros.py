# wrong: keeps the mask in a global; exercise: safe_where; must fail: purity; says: mask
mask = None


@jax.jit
def log_factorial(y):
    global mask
    mask = y == 0
    safe = jnp.where(mask, 1.0, y)
    return jnp.where(mask, 0.0, 0.5 * jnp.log(2 * jnp.pi * safe) + safe * jnp.log(safe) - safe)
