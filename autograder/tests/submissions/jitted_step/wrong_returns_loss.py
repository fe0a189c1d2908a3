# wrong: returns minus the ELBO; exercise: jitted_step; must fail: outputs; says: The sign is wrong everywhere
def loss(params, Omega, Y, O, X):
    return -elbo(params, Omega, Y, O, X)


@jax.jit
def step(params, Omega, state, Y, O, X):
    value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
    updates, state = optimizer.update(gradient, state, params)
    params = optax.apply_updates(params, updates)
    return params, best_Omega(params), state, value
