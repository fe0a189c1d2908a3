# wrong: the caller's dictionary changes; exercise: jitted_step_fit; must fail: purity; says: Copy first
def fit(params, Y, O, X, n_iterations):
    Omega = jnp.eye(Y.shape[1])
    state = optimizer.init(params)
    trace = jnp.zeros(n_iterations)
    for i in range(n_iterations):
        new, Omega, state, value = step(params, Omega, state, Y, O, X)
        params.update(new)
        trace = trace.at[i].set(value)
    return params, trace
