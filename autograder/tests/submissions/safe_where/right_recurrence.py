# right: a series further out, and back by recurrence; exercise: safe_where
@jax.jit
def log_factorial(y):
    # Stirling at y + 2, less log((y + 1)(y + 2)); with one correction term
    x = y + 2
    return (
        0.5 * jnp.log(2 * jnp.pi * x)
        + x * jnp.log(x)
        - x
        + 1 / (12 * x)
        - 1 / (360 * x**3)
        + 1 / (1260 * x**5)
        - jnp.log(y + 1)
        - jnp.log(y + 2)
    )
