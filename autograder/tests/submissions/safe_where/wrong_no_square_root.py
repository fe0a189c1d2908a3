# wrong: forgets the first term; exercise: safe_where; must fail: outputs; says: by Stirling
@jax.jit
def log_factorial(y):
    safe = jnp.where(y == 0, 1.0, y)
    return jnp.where(y == 0, 0.0, safe * jnp.log(safe) - safe)
