# wrong: M is improved with the new B; exercise: many_devices; must fail: outputs; says: keep the formula
def start(Y, X):
    params = {"B": jnp.zeros((X.shape[1], Y.shape[1])), "M": jnp.zeros(Y.shape)}
    return jax.device_put(params, {"B": whole, "M": rows})


@jax.jit
def step(params, Y, O, X):
    B, M = params["B"], params["M"]
    eta = O + X @ B + M
    A = jnp.exp(eta)
    value = jnp.sum(Y * eta - A) - jnp.sum(M**2) / 2
    B = B + 0.5 * X.T @ (Y - A) / ((X**2).T @ (A + Y) + 1)
    A = jnp.exp(O + X @ B + M)
    M = M + 0.5 * (Y - A - M) / (A + Y + 1)
    return {"B": B, "M": M}, value
