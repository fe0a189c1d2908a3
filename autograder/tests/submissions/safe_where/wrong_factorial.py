# wrong: the factorial itself, which overflows; exercise: safe_where; must fail: outputs; says: float32 ends
@jax.jit
def log_factorial(y):
    return jnp.log(jax.scipy.special.factorial(y))
