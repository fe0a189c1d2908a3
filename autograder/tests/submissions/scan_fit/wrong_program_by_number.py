# wrong: a jitted function for each number of iterations, in an lru_cache, and not one with a static argument; exercise: scan_fit; must fail: compilations; says: the task asks for one
from functools import lru_cache, partial


def run(Y, O, X, n_iterations):
    def body(carry, _):
        params, Omega, state, _ = carry
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, state)
        params = optax.apply_updates(params, updates)
        return (params, best_Omega(params), state, largest(updates)), -value

    params = zeros(Y, X)
    carry = params, jnp.eye(Y.shape[1]), optimizer.init(params), jnp.zeros(())
    (params, _, _, moved), elbos = jax.lax.scan(body, carry, length=n_iterations)
    return params, moved, elbos


@lru_cache
def program(n_iterations):
    return jax.jit(partial(run, n_iterations=n_iterations))


def fit(Y, O, X, n_iterations):
    return program(n_iterations)(Y, O, X)
