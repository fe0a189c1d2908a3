# wrong: the state as a list, for which the next call compiles again; exercise: jitted_step; must fail: outputs; says: a list
@jax.jit
def step(params, Omega, state, Y, O, X):
    value, gradient = jax.value_and_grad(elbo, argnums=0)(params, Omega, Y, O, X)
    updates, state = optimizer.update(jax.tree.map(jnp.negative, gradient), state)
    params = optax.apply_updates(params, updates)
    return params, best_Omega(params), list(state), value
