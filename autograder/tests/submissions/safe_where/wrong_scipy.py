# wrong: SciPy on a tracer; exercise: safe_where; must fail: outputs; says: Use `jax.numpy`
import scipy.special


@jax.jit
def log_factorial(y):
    return scipy.special.gammaln(y + 1)
