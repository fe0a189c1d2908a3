# wrong: the step is two jitted functions; exercise: many_devices; must fail: compilations; says: compiled 2 programs
def start(Y, X):
    return {
        "B": jnp.zeros((X.shape[1], Y.shape[1]), device=whole),
        "M": jnp.zeros(Y.shape, device=rows),
    }


@jax.jit
def new_M(params, Y, O, X):
    B, M = params["B"], params["M"]
    A = jnp.exp(O + X @ B + M)
    return M + 0.5 * (Y - A - M) / (A + Y + 1)


@jax.jit
def new_B(params, Y, O, X):
    B, M = params["B"], params["M"]
    eta = O + X @ B + M
    A = jnp.exp(eta)
    value = jnp.sum(Y * eta - A) - jnp.sum(M**2) / 2
    return B + 0.5 * X.T @ (Y - A) / ((X**2).T @ (A + Y) + 1), value


def step(params, Y, O, X):
    B, value = new_B(params, Y, O, X)
    return {"B": B, "M": new_M(params, Y, O, X)}, value
