# right: zeros computed from data that are cut; exercise: many_devices
def start(Y, X):
    M = 0 * Y
    return {"B": X.T @ M, "M": M}


@jax.jit
def step(params, Y, O, X):
    B, M = params["B"], params["M"]
    eta = O + X @ B + M
    A = jnp.exp(eta)
    value = jnp.sum(Y * eta - A) - jnp.sum(M**2) / 2
    M = M + 0.5 * (Y - A - M) / (A + Y + 1)
    B = B + 0.5 * X.T @ (Y - A) / ((X**2).T @ (A + Y) + 1)
    return {"B": B, "M": M}, value
