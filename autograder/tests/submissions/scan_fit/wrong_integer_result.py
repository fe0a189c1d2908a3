# wrong: the float is made an integer to fit the carry; exercise: scan_fit; must fail: outputs; says: result[1] is int32
@jax.jit(static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    def body(carry, _):
        params, Omega, state, moved = carry
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, state)
        params = optax.apply_updates(params, updates)
        moved = largest(updates).astype(jnp.int32)
        return (params, best_Omega(params), state, moved), -value

    params = zeros(Y, X)
    carry = params, jnp.eye(Y.shape[1]), optimizer.init(params), jnp.int32(0)
    (params, _, _, moved), trace = jax.lax.scan(body, carry, length=n_iterations)
    return params, moved, trace
