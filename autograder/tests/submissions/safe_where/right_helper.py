# right: the formula in a helper of one count, mapped; exercise: safe_where
def stirling(y):
    return 0.5 * jnp.log(2 * jnp.pi * y) + y * jnp.log(y / jnp.e)


@jax.jit
def log_factorial(y):
    one = jnp.ones_like(y)
    return jnp.where(y == 0, 0, stirling(jnp.where(y == 0, one, y)))
