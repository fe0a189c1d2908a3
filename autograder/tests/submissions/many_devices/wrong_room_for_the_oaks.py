# wrong: room for the taxa of the oaks; exercise: many_devices; must fail: outputs; says: different sizes
def start(Y, X):
    params = {"B": jnp.zeros((X.shape[1], 114))[:, : Y.shape[1]], "M": jnp.zeros(Y.shape)}
    return jax.device_put(params, {"B": whole, "M": rows})


@jax.jit
def step(params, Y, O, X):
    B, M = params["B"], params["M"]
    eta = O + X @ B + M
    A = jnp.exp(eta)
    value = jnp.sum(Y * eta - A) - jnp.sum(M**2) / 2
    M = M + 0.5 * (Y - A - M) / (A + Y + 1)
    B = B + 0.5 * X.T @ (Y - A) / ((X**2).T @ (A + Y) + 1)
    return {"B": B, "M": M}, value
