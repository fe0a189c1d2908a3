# wrong: the optimizer starts anew at each step; exercise: scan_fit; must fail: outputs; says: result[0]['B'][
@jax.jit(static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    def body(carry, _):
        params, Omega, state, moved = carry
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, optimizer.init(params))
        params = optax.apply_updates(params, updates)
        moved = largest(updates)
        return (params, best_Omega(params), state, moved), -value

    params = zeros(Y, X)
    carry = params, jnp.eye(Y.shape[1]), optimizer.init(params), jnp.zeros(())
    (params, _, _, moved), trace = jax.lax.scan(body, carry, length=n_iterations)
    return params, moved, trace
