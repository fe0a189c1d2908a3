# wrong: room for the 200 iterations of the notebook; exercise: scan_fit; must fail: outputs; says: fit
@jax.jit(static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    def body(i, carry):
        params, Omega, state, _, trace = carry
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, state)
        params = optax.apply_updates(params, updates)
        return params, best_Omega(params), state, largest(updates), trace.at[i].set(-value)

    params = zeros(Y, X)
    carry = params, jnp.eye(Y.shape[1]), optimizer.init(params), jnp.zeros(()), jnp.zeros(200)
    params, _, _, moved, trace = jax.lax.fori_loop(0, n_iterations, body, carry)
    return params, moved, trace[:n_iterations]
