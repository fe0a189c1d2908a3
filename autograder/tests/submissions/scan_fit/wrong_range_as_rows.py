# wrong: a range for the rows; exercise: scan_fit; must fail: outputs; says: A number and a `range` have no rows
from functools import partial


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    def body(carry, _):
        params, Omega, state, _ = carry
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, state)
        params = optax.apply_updates(params, updates)
        return (params, best_Omega(params), state, largest(updates)), -value

    params, Omega, moved = zeros(Y, X), jnp.eye(Y.shape[1]), jnp.zeros(())
    carry = params, Omega, optimizer.init(params), moved
    (params, _, _, moved), elbos = jax.lax.scan(body, carry, range(n_iterations))
    return params, moved, elbos
