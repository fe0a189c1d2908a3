# right: its helpers are jitted too; exercise: jitted_step
loss_and_gradient = jax.jit(jax.value_and_grad(lambda q, Omega, Y, O, X: -elbo(q, Omega, Y, O, X)))
jitted_Omega = jax.jit(best_Omega)


@jax.jit
def step(params, Omega, state, Y, O, X):
    value, gradient = loss_and_gradient(params, Omega, Y, O, X)
    updates, state = optimizer.update(gradient, state, params)
    params = optax.apply_updates(params, updates)
    return params, jitted_Omega(params), state, -value
