# wrong: one jitted chunk of ten iterations, called again and again; exercise: scan_fit; must fail: compilations; says: loops, and compiling takes ever longer
@jax.jit(static_argnames="length")
def chunk(carry, Y, O, X, length):
    def body(carry, _):
        params, Omega, state, _ = carry
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, state)
        params = optax.apply_updates(params, updates)
        return (params, best_Omega(params), state, largest(updates)), -value

    if carry is None:
        params = zeros(Y, X)
        carry = params, jnp.eye(Y.shape[1]), optimizer.init(params), jnp.zeros(())
    return jax.lax.scan(body, carry, length=length)


def fit(Y, O, X, n_iterations):
    carry, traces = None, []
    for first in range(0, n_iterations, 10):
        carry, trace = chunk(carry, Y, O, X, min(10, n_iterations - first))
        traces.append(trace)
    trace = traces[0] if len(traces) == 1 else jnp.concatenate(traces)
    return carry[0], carry[3], trace
