# wrong: every device gets all of M; exercise: many_devices; must fail: compilations; says: `M` went into call 1 whole on each of 4 devices
def start(Y, X):
    params = {"B": jnp.zeros((X.shape[1], Y.shape[1])), "M": jnp.zeros(Y.shape)}
    return jax.device_put(params, whole)


@jax.jit
def step(params, Y, O, X):
    B, M = params["B"], params["M"]
    eta = O + X @ B + M
    A = jnp.exp(eta)
    value = jnp.sum(Y * eta - A) - jnp.sum(M**2) / 2
    M = M + 0.5 * (Y - A - M) / (A + Y + 1)
    B = B + 0.5 * X.T @ (Y - A) / ((X**2).T @ (A + Y) + 1)
    return {"B": B, "M": M}, value
