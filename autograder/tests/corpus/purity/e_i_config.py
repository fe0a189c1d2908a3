# impure
import jax


def f(x):
    jax.config.update("jax_debug_nans", True)
    return x
