# right: a list of values, stacked at the end; exercise: jitted_step_fit
def fit(params, Y, O, X, n_iterations):
    Omega = jnp.eye(Y.shape[1])
    state = optimizer.init(params)
    trace = []
    for _ in range(n_iterations):
        params, Omega, state, value = step(params, Omega, state, Y, O, X)
        trace.append(value)
    return params, jnp.stack(trace)
