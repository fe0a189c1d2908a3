# wrong: a Python loop of jitted steps; exercise: scan_fit; must fail: compilations; says: Use jax.lax.scan
@jax.jit
def step(params, Omega, state, Y, O, X):
    value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
    updates, state = optimizer.update(gradient, state)
    params = optax.apply_updates(params, updates)
    return params, best_Omega(params), state, largest(updates), -value


@jax.jit(static_argnums=2)
def begin(Y, X, n_iterations):
    params = zeros(Y, X)
    return params, jnp.eye(Y.shape[1]), optimizer.init(params)


stack = jax.jit(lambda *values: jnp.stack(values))


def fit(Y, O, X, n_iterations):
    params, Omega, state = begin(Y, X, n_iterations)
    trace = []
    for _ in range(n_iterations):
        params, Omega, state, moved, value = step(params, Omega, state, Y, O, X)
        trace.append(value)
    return params, moved, stack(*trace)
