# wrong: the parameters are a tuple; exercise: many_devices; must fail: outputs; says: no dictionary
def start(Y, X):
    return jax.device_put(jnp.zeros((X.shape[1], Y.shape[1])), whole), jax.device_put(
        jnp.zeros(Y.shape), rows
    )


@jax.jit
def step(params, Y, O, X):
    B, M = params
    eta = O + X @ B + M
    A = jnp.exp(eta)
    value = jnp.sum(Y * eta - A) - jnp.sum(M**2) / 2
    M = M + 0.5 * (Y - A - M) / (A + Y + 1)
    B = B + 0.5 * X.T @ (Y - A) / ((X**2).T @ (A + Y) + 1)
    return (B, M), value
