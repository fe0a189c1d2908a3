# wrong: a Python loop under jit; exercise: scan_fit; must fail: compilations; says: Write the loop as `lax.scan`
@jax.jit(static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    params = zeros(Y, X)
    Omega, state, moved, trace = jnp.eye(Y.shape[1]), optimizer.init(params), 0.0, []
    for _ in range(n_iterations):
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, state)
        params = optax.apply_updates(params, updates)
        Omega, moved = best_Omega(params), largest(updates)
        trace.append(-value)
    return params, moved, jnp.stack(trace)
