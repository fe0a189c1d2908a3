# right: the gradient of the ELBO itself, turned around; exercise: jitted_step
@jax.jit
def step(params, Omega, state, Y, O, X):
    value, gradient = jax.value_and_grad(elbo, argnums=0)(params, Omega, Y, O, X)
    downhill = jax.tree.map(jnp.negative, gradient)
    updates, state = optimizer.update(downhill, state)
    params = jax.tree.map(jnp.add, params, updates)
    return params, best_Omega(params), state, value
