# right: exact, without Stirling; exercise: safe_where
@jax.jit
def log_factorial(y):
    return jax.scipy.special.gammaln(y + 1)
