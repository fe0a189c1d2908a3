# wrong: counts are passed, offsets and covariates are not; exercise: jitted_step; must fail: outputs; says: variable of the notebook
def loss(params, Omega, Y):
    return -elbo(params, Omega, Y, offsets, covariates)


@jax.jit
def step(params, Omega, state, Y, O, X):
    value, gradient = jax.value_and_grad(loss)(params, Omega, Y)
    updates, state = optimizer.update(gradient, state, params)
    params = optax.apply_updates(params, updates)
    return params, best_Omega(params), state, -value
