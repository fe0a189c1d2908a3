"""Level 1: one iteration compiled, the loop left to Python.

XLA sees a whole iteration at once. Python still starts each one, and waits for nothing: the arrays
stay on the device.
"""

from functools import partial

import jax
import jax.numpy as jnp
import optax
from jax import Array
from jax.typing import ArrayLike

from plnkit.ladder.optimizer import ADAM
from plnkit.model import Parameters, covariance, elbo, log_factorials, precision, start


def loss(free: tuple[Array, Array, Array], Omega, log_det, Y, O, X, log_factorial) -> Array:
    return -elbo(Parameters(*free, Omega), Y, O, X, log_factorial, log_det)


@partial(jax.jit, static_argnames="optimizer")
def step(i, carry, Y, O, X, log_factorial, optimizer):
    free, Omega, log_det, state, trace = carry
    value, gradient = jax.value_and_grad(loss)(free, Omega, log_det, Y, O, X, log_factorial)
    updates, state = optimizer.update(gradient, state, free)
    B, M, log_S = jax.tree.map(jnp.add, free, updates)
    Omega, log_det = precision(covariance(M, log_S))
    return (B, M, log_S), Omega, log_det, state, trace.at[i].set(-value)


def fit(
    Y: ArrayLike,
    O: ArrayLike,
    X: ArrayLike,
    n_iterations: int,
    optimizer: optax.GradientTransformation = ADAM,
) -> tuple[Parameters, Array]:
    """The fitted parameters and the ELBO before each iteration, (n_iterations,)."""
    Y, O, X = jnp.asarray(Y), jnp.asarray(O), jnp.asarray(X)
    log_factorial, carry = begin(Y, X, n_iterations, optimizer)
    for i in range(n_iterations):
        carry = step(i, carry, Y, O, X, log_factorial, optimizer)
    (B, M, log_S), Omega, _, _, trace = carry
    return Parameters(B, M, log_S, Omega), trace


@partial(jax.jit, static_argnames=("n_iterations", "optimizer"))
def begin(Y, X, n_iterations, optimizer):
    """What the loop starts from; jitted too, or each of its arrays is a small program."""
    B, M, log_S, Omega = start(Y, X)
    free = B, M, log_S
    log_det = jnp.zeros(())
    carry = free, Omega, log_det, optimizer.init(free), jnp.zeros(n_iterations)
    return log_factorials(Y), carry
