# right: a fori_loop that fills the trace; exercise: scan_fit
@jax.jit(static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    def body(i, carry):
        carry, trace = carry
        params, Omega, state, moved = carry
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, state)
        params = optax.apply_updates(params, updates)
        moved = largest(updates)
        return (params, best_Omega(params), state, moved), trace.at[i].set(-value)

    params = zeros(Y, X)
    carry = params, jnp.eye(Y.shape[1]), optimizer.init(params), jnp.zeros(())
    carry, trace = jax.lax.fori_loop(0, n_iterations, body, (carry, jnp.zeros(n_iterations)))
    params, _, _, moved = carry
    return params, moved, trace
