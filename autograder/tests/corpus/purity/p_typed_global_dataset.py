# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

Y = np.random.default_rng(0).poisson(3.0, (5, 3)).astype("float32")
X = jnp.ones((5, 1))


@jax.jit
def f(b):
    eta = X @ b[None, :]
    return jnp.sum(Y * eta - jnp.exp(eta))
