# wrong: a scan outside of jit; exercise: jitted_step_fit; must fail: compilations; says: called outside jit with a new function object
def fit(params, Y, O, X, n_iterations):
    def one(carry, _):
        params, Omega, state, value = step(*carry, Y, O, X)
        return (params, Omega, state), value

    carry = params, jnp.eye(Y.shape[1]), optimizer.init(params)
    carry, elbos = jax.lax.scan(one, carry, None, n_iterations)
    return carry[0], elbos
