# wrong: a new jitted function at each call; exercise: jitted_step_fit; must fail: compilations; says: it is a new function object each time
def fit(params, Y, O, X, n_iterations):
    Omega = jnp.eye(Y.shape[1])
    state = optimizer.init(params)
    one = jax.jit(lambda *carry: step.__wrapped__(*carry, Y, O, X))
    trace = jnp.zeros(n_iterations)
    for i in range(n_iterations):
        params, Omega, state, value = one(params, Omega, state)
        trace = trace.at[i].set(value)
    return params, trace
