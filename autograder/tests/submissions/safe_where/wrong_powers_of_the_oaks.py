# wrong: a gradient that is right for counts up to the largest of the oaks; exercise: safe_where; must fail: outputs; says: at y =
@jax.jit
def log_factorial(y):
    safe = jnp.where(y == 0, 1.0, y)
    inside = jnp.minimum(safe, 2228.0)
    stirling = 0.5 * jnp.log(2 * jnp.pi * inside) + inside * jnp.log(inside) - inside
    return jnp.where(y == 0, 0.0, stirling)
