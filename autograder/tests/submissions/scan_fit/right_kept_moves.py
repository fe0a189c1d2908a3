# right: keeps all moves, returns the last; exercise: scan_fit
@jax.jit(static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    def body(carry, _):
        params, Omega, state = carry
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, state)
        params = optax.apply_updates(params, updates)
        moved = largest(updates)
        return (params, best_Omega(params), state), (moved, -value)

    params = zeros(Y, X)
    carry = params, jnp.eye(Y.shape[1]), optimizer.init(params)
    (params, _, _), (moves, trace) = jax.lax.scan(body, carry, length=n_iterations)
    return params, moves[-1], trace
