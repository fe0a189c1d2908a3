# right: the gradient by JAX, parameters from NumPy; exercise: many_devices
import numpy as np


def start(Y, X):
    B, M = np.zeros((X.shape[1], Y.shape[1]), np.float32), np.zeros(Y.shape, np.float32)
    return dict(B=jax.device_put(B, whole), M=jax.device_put(M, rows))


def objective(params, Y, O, X):
    eta = O + X @ params["B"] + params["M"]
    return jnp.sum(Y * eta - jnp.exp(eta)) - jnp.sum(params["M"] ** 2) / 2


@jax.jit
def step(params, Y, O, X):
    value, up = jax.value_and_grad(objective)(params, Y, O, X)
    A = jnp.exp(O + X @ params["B"] + params["M"])
    M = params["M"] + 0.5 * up["M"] / (A + Y + 1)
    B = params["B"] + 0.5 * up["B"] / ((X**2).T @ (A + Y) + 1)
    return {"B": B, "M": M}, value
