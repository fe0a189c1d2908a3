# wrong: writes the data to globals, so that the loss finds them; exercise: jitted_step; must fail: purity; says: a tracer is left in `counts`
def loss(params, Omega):
    return -elbo(params, Omega, counts, offsets, covariates)


@jax.jit
def step(params, Omega, state, Y, O, X):
    global counts, offsets, covariates
    counts, offsets, covariates = Y, O, X
    value, gradient = jax.value_and_grad(loss)(params, Omega)
    updates, state = optimizer.update(gradient, state, params)
    params = optax.apply_updates(params, updates)
    return params, best_Omega(params), state, -value
