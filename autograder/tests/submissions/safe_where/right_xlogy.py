# right: xlogy of a safe argument; exercise: safe_where
@jax.jit
def log_factorial(y):
    zero = y == 0
    safe = y + zero
    part = jax.scipy.special.xlogy(safe, safe) - safe
    return jnp.where(zero, 0.0, part + 0.5 * jnp.log(2 * jnp.pi * safe))
