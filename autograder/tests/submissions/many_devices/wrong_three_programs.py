# wrong: a step of three programs, one after the other; exercise: many_devices; must fail: compilations; says: The first step compiled
def start(Y, X):
    params = {"B": jnp.zeros((X.shape[1], Y.shape[1])), "M": jnp.zeros(Y.shape)}
    return jax.device_put(params, {"B": whole, "M": rows})


@jax.jit
def objective(B, M, Y, O, X):
    eta = O + X @ B + M
    return jnp.sum(Y * eta - jnp.exp(eta)) - jnp.sum(M**2) / 2


@jax.jit
def improve_M(B, M, Y, O, X):
    A = jnp.exp(O + X @ B + M)
    return M + 0.5 * (Y - A - M) / (A + Y + 1)


@jax.jit
def improve_B(B, M, Y, O, X):
    A = jnp.exp(O + X @ B + M)
    return B + 0.5 * X.T @ (Y - A) / ((X**2).T @ (A + Y) + 1)


def step(params, Y, O, X):
    given = params["B"], params["M"], Y, O, X
    return {"B": improve_B(*given), "M": improve_M(*given)}, objective(*given)
