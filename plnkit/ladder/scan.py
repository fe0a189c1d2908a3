"""Level 2: the loop itself in the program, with `jax.lax.scan`.

`fit_eager` is the tutorial's form: scan compiles its body, and compiles it again at every call,
because `body` is a new function each time. `fit` is the same function inside `jit`, compiled once
for each shape, number of iterations and optimizer. `compile_fit` does that ahead of time.
"""

import jax
import jax.numpy as jnp
import optax
from jax import Array
from jax.stages import Compiled
from jax.typing import ArrayLike

from plnkit.ladder.optimizer import ADAM
from plnkit.model import Parameters, covariance, elbo, log_factorials, precision, start


def fit_eager(
    Y: ArrayLike,
    O: ArrayLike,
    X: ArrayLike,
    n_iterations: int,
    optimizer: optax.GradientTransformation = ADAM,
) -> tuple[Parameters, Array]:
    """The fitted parameters and the ELBO before each iteration, (n_iterations,)."""
    Y, O, X = jnp.asarray(Y), jnp.asarray(O), jnp.asarray(X)
    log_factorial = log_factorials(Y)

    def loss(free: tuple[Array, Array, Array], Omega: Array, log_det: Array) -> Array:
        return -elbo(Parameters(*free, Omega), Y, O, X, log_factorial, log_det)

    def body(carry, _):
        free, Omega, log_det, state = carry
        value, gradient = jax.value_and_grad(loss)(free, Omega, log_det)
        updates, state = optimizer.update(gradient, state, free)
        B, M, log_S = jax.tree.map(jnp.add, free, updates)
        Omega, log_det = precision(covariance(M, log_S))
        return ((B, M, log_S), Omega, log_det, state), -value

    B, M, log_S, Omega = start(Y, X)
    carry = (B, M, log_S), Omega, jnp.zeros(()), optimizer.init((B, M, log_S))
    (free, Omega, _, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return Parameters(*free, Omega), trace


fit = jax.jit(fit_eager, static_argnames=("n_iterations", "optimizer"))


def compile_fit(
    Y: ArrayLike,
    O: ArrayLike,
    X: ArrayLike,
    n_iterations: int,
    optimizer: optax.GradientTransformation = ADAM,
) -> Compiled:
    """Level 2 compiled ahead of time for these shapes: call the result with (Y, O, X) alone."""
    return fit.lower(Y, O, X, n_iterations=n_iterations, optimizer=optimizer).compile()
