# wrong: replaces NaN and infinity in the result; exercise: safe_where; must fail: outputs; says: hides the bad value and not its slope
@jax.jit
def log_factorial(y):
    return jnp.nan_to_num(
        0.5 * jnp.log(2 * jnp.pi * y) + y * jnp.log(y) - y, posinf=0.0, neginf=0.0
    )
