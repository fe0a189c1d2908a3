# right: zeros where the data are; exercise: many_devices
def start(Y, X):
    B = jax.device_put(jnp.zeros((X.shape[1], Y.shape[1])), NamedSharding(Y.sharding.mesh, P()))
    return {"B": B, "M": jnp.zeros_like(Y)}


@jax.jit
def step(params, Y, O, X):
    B, M = params["B"], params["M"]
    eta = O + X @ B + M
    A = jnp.exp(eta)
    value = jnp.sum(Y * eta - A) - jnp.sum(M**2) / 2
    M = M + 0.5 * (Y - A - M) / (A + Y + 1)
    B = B + 0.5 * X.T @ (Y - A) / ((X**2).T @ (A + Y) + 1)
    return {"B": B, "M": M}, value
