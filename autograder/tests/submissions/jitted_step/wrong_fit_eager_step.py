# wrong: the step as it was before jit; exercise: jitted_step_fit; must fail: compilations; says: Nothing was compiled from a function of yours
def fit(params, Y, O, X, n_iterations):
    Omega = jnp.eye(Y.shape[1])
    state = optimizer.init(params)
    trace = jnp.zeros(n_iterations)
    for i in range(n_iterations):
        params, Omega, state, value = step.__wrapped__(params, Omega, state, Y, O, X)
        trace = trace.at[i].set(value)
    return params, trace
