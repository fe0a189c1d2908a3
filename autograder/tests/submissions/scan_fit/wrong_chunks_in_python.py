# wrong: a scan for each chunk of ten iterations; exercise: scan_fit; must fail: compilations; says: grows
@jax.jit(static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    def body(carry, _):
        params, Omega, state, _ = carry
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, state)
        params = optax.apply_updates(params, updates)
        return (params, best_Omega(params), state, largest(updates)), -value

    params, traces = zeros(Y, X), []
    carry = params, jnp.eye(Y.shape[1]), optimizer.init(params), jnp.zeros(())
    for first in range(0, n_iterations, 10):
        length = min(10, n_iterations - first)
        carry, trace = jax.lax.scan(body, carry, length=length)
        traces.append(trace)
    return carry[0], carry[3], jnp.concatenate(traces)
