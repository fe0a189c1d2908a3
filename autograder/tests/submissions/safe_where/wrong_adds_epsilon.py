# wrong: adds a small number to the count; exercise: safe_where; must fail: outputs; says: a second `where` after it
@jax.jit
def log_factorial(y):
    y = y + 1e-8
    return 0.5 * jnp.log(2 * jnp.pi * y) + y * jnp.log(y) - y
