# right: the trace in a jax.new_ref; exercise: scan_fit
@jax.jit(static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    trace = jax.new_ref(jnp.zeros(n_iterations))

    def body(i, carry):
        params, Omega, state, _ = carry
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, state)
        params = optax.apply_updates(params, updates)
        trace[i] = -value
        return params, best_Omega(params), state, largest(updates)

    params = zeros(Y, X)
    carry = params, jnp.eye(Y.shape[1]), optimizer.init(params), jnp.zeros(())
    params, _, _, moved = jax.lax.fori_loop(0, n_iterations, body, carry)
    return params, moved, trace[...]
