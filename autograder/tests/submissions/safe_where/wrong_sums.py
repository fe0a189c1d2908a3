# wrong: returns the sum; exercise: safe_where; must fail: outputs; says: one array of log-factorials
@jax.jit
def log_factorial(y):
    return jax.scipy.special.gammaln(y + 1).sum()
