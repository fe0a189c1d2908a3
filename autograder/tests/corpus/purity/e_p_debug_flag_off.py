# pure
import jax

DEBUG = False
HISTORY = []


@jax.jit
def f(x):
    if DEBUG:
        HISTORY.append(x)
    return 2 * x
