"""Functions that change JAX's settings or caches, and so compile again or not at all."""

# %% wrong_config_update
# verdict: wrong (compiled-again)
# counts: 1 1 0
# says: jax_numpy_dtype_promotion
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,), (A,)]


@jax.jit
def double(x):
    return 2 * x


def entry(x):
    strict = jax.config.jax_numpy_dtype_promotion == "strict"
    jax.config.update("jax_numpy_dtype_promotion", "standard" if strict else "strict")
    return double(x)

# %% wrong_clear_caches
# verdict: wrong (compiled-again)
# counts: 1 1
# says: jax.clear_caches() was called
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def double(x):
    return 2 * x


def entry(x):
    jax.clear_caches()
    return double(x)

# %% wrong_disable_jit
# verdict: wrong (jit-disabled)
# counts: 0 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def double(x):
    return 2 * x


def entry(x):
    with jax.disable_jit():
        return double(x)

# %% wrong_option_flips
# verdict: wrong (compiled-again)
# counts: 1 1 0
# says: jax_default_matmul_precision
import jax
import numpy as np

A = np.ones((3, 3), np.float32)
CALLS = [(A,), (A + 1,), (A,)]
precisions = ["float32", "bfloat16"]


@jax.jit
def square(x):
    return x @ x


def entry(x):
    precisions.reverse()
    with jax.default_matmul_precision(precisions[0]):
        return square(x)
