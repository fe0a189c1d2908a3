# wrong: a dictionary in place of three things; exercise: scan_fit; must fail: outputs; says: result['moved']
@jax.jit(static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    def body(carry, _):
        params, Omega, state, _ = carry
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, state)
        params = optax.apply_updates(params, updates)
        return (params, best_Omega(params), state, largest(updates)), -value

    params = zeros(Y, X)
    carry = params, jnp.eye(Y.shape[1]), optimizer.init(params), jnp.zeros(())
    (params, _, _, moved), trace = jax.lax.scan(body, carry, length=n_iterations)
    return {"params": params, "moved": moved, "trace": trace}
