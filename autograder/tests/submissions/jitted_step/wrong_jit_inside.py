# wrong: a new jitted function at each call; exercise: jitted_step; must fail: compilations; says: it is a new function object each time
def loss(params, Omega, Y, O, X):
    return -elbo(params, Omega, Y, O, X)


def step(params, Omega, state, Y, O, X):
    @jax.jit
    def inner(params, Omega, state, Y, O, X):
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, state, params)
        params = optax.apply_updates(params, updates)
        return params, best_Omega(params), state, -value

    return inner(params, Omega, state, Y, O, X)
