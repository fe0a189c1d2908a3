# wrong: keeps the ELBOs in a global list; exercise: jitted_step; must fail: purity; says: history
def loss(params, Omega, Y, O, X):
    return -elbo(params, Omega, Y, O, X)


history = []


@jax.jit
def step(params, Omega, state, Y, O, X):
    value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
    updates, state = optimizer.update(gradient, state, params)
    params = optax.apply_updates(params, updates)
    history.append(value)
    return params, best_Omega(params), state, -value
