# wrong: half a slope at zero, from a tie; exercise: safe_where; must fail: outputs; says: half a slope
@jax.jit
def log_factorial(y):
    return jax.scipy.special.gammaln(jnp.maximum(y, 0) + 1)
