# wrong: the state without its empty part, which the next call needs; exercise: jitted_step; must fail: outputs; says: a tuple of a ScaleByAdamState, and the argument
@jax.jit
def step(params, Omega, state, Y, O, X):
    value, gradient = jax.value_and_grad(elbo, argnums=0)(params, Omega, Y, O, X)
    updates, state = optimizer.update(jax.tree.map(jnp.negative, gradient), state)
    params = optax.apply_updates(params, updates)
    return params, best_Omega(params), state[:1], value
