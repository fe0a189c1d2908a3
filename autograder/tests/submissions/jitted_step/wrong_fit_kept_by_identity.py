# wrong: states kept by the identity of the start; exercise: jitted_step_fit; must fail: purity; says: states
states = {}


def fit(params, Y, O, X, n_iterations):
    Omega = jnp.eye(Y.shape[1])
    if id(params) not in states:
        states[id(params)] = optimizer.init(params)
    state = states[id(params)]
    elbos = jnp.zeros(n_iterations)
    for i in range(n_iterations):
        params, Omega, state, value = step(params, Omega, state, Y, O, X)
        elbos = elbos.at[i].set(value)
    return params, elbos
