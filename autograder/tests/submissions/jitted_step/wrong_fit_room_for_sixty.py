# wrong: room for the sixty iterations of the notebook; exercise: jitted_step_fit; must fail: outputs; says: shape
def fit(params, Y, O, X, n_iterations):
    Omega = jnp.eye(Y.shape[1])
    state = optimizer.init(params)
    elbos = np.zeros(60, np.float32)
    for i in range(min(n_iterations, 60)):
        params, Omega, state, value = step(params, Omega, state, Y, O, X)
        elbos[i] = value
    return params, jnp.asarray(elbos[:n_iterations])
