# right: the tutorial's jitted pieces, made once; exercise: jitted_step_fit
value_and_gradient = jax.jit(jax.value_and_grad(lambda q, *data: -elbo(q, *data)))
update, apply_updates = jax.jit(optimizer.update), jax.jit(optax.apply_updates)
jitted_Omega = jax.jit(best_Omega)


def fit(params, Y, O, X, n_iterations):
    Omega = jnp.eye(Y.shape[1])
    state = optimizer.init(params)
    trace = jnp.zeros(n_iterations)
    for i in range(n_iterations):
        value, gradient = value_and_gradient(params, Omega, Y, O, X)
        updates, state = update(gradient, state)
        params = apply_updates(params, updates)
        Omega = jitted_Omega(params)
        trace = trace.at[i].set(-value)
    return params, trace
