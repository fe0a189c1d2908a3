# right: NamedTuples for the carry and the results; exercise: scan_fit
from typing import Any, NamedTuple


class Carry(NamedTuple):
    params: Any
    Omega: jax.Array
    state: optax.OptState
    moved: jax.Array


class Fit(NamedTuple):
    params: Any
    moved: jax.Array
    trace: jax.Array


@jax.jit(static_argnames=("n_iterations",))
def fit(Y: jax.Array, O: jax.Array, X: jax.Array, n_iterations: int) -> Fit:
    value_and_grad = jax.value_and_grad(loss)

    def body(c: Carry, _: None) -> tuple[Carry, jax.Array]:
        value, gradient = value_and_grad(c.params, c.Omega, Y, O, X)
        updates, state = optimizer.update(gradient, c.state, c.params)
        params = optax.apply_updates(c.params, updates)
        return Carry(params, best_Omega(params), state, largest(updates)), -value

    params = zeros(Y, X)
    start = Carry(params, jnp.eye(Y.shape[1]), optimizer.init(params), jnp.float32(0))
    last, trace = jax.lax.scan(body, start, None, n_iterations)
    return Fit(last.params, last.moved, trace)
