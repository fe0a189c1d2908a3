# wrong: the new array has no name; exercise: jitted_step_fit; must fail: outputs; says: leaves x as it is
def fit(params, Y, O, X, n_iterations):
    Omega = jnp.eye(Y.shape[1])
    state = optimizer.init(params)
    trace = jnp.zeros(n_iterations)
    for i in range(n_iterations):
        params, Omega, state, value = step(params, Omega, state, Y, O, X)
        trace.at[i].set(value)
    return params, trace
