# right: scan over the numbers of the iterations; jit applied afterwards; exercise: scan_fit
def _fit(Y, O, X, n_iterations):
    def body(carry, _):
        params, Omega, state, moved = carry
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, state)
        params = optax.apply_updates(params, updates)
        moved = largest(updates)
        return (params, best_Omega(params), state, moved), -value

    params = zeros(Y, X)
    carry = params, jnp.eye(Y.shape[1]), optimizer.init(params), jnp.zeros(())
    (params, _, _, moved), trace = jax.lax.scan(body, carry, jnp.arange(n_iterations))
    return params, moved, trace


fit = jax.jit(_fit, static_argnums=3)
