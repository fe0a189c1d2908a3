# wrong: the data are filled up to the size of the oaks; exercise: jitted_step; must fail: outputs; says: different sizes
@jax.jit
def step(params, Omega, state, Y, O, X):
    def filled(x):
        return jnp.zeros((116, x.shape[1])).at[: len(x)].set(x)

    def loss(params):
        n = len(Y)
        return -elbo(params, Omega, filled(Y)[:n], filled(O)[:n], filled(X)[:n])

    value, gradient = jax.value_and_grad(loss)(params)
    updates, state = optimizer.update(gradient, state)
    params = optax.apply_updates(params, updates)
    return params, best_Omega(params), state, -value
