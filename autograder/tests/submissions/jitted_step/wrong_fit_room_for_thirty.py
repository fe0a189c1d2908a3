# wrong: room for the thirty iterations of the notebook; exercise: jitted_step_fit; must fail: outputs; says: shape
def fit(params, Y, O, X, n_iterations):
    Omega = jnp.eye(Y.shape[1])
    state = optimizer.init(params)
    elbos = jnp.zeros(30)
    for i in range(n_iterations):
        params, Omega, state, value = step(params, Omega, state, Y, O, X)
        elbos = elbos.at[i].set(value)
    return params, elbos[:n_iterations]
