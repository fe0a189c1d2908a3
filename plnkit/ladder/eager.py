"""No JIT: the tutorial's class, each operation sent to the device by itself.

Nothing is compiled as a whole: Python runs every operation of every iteration, and XLA never sees
two of them together.
"""

import jax
import jax.numpy as jnp
import optax
from jax import Array
from jax.typing import ArrayLike

from plnkit.ladder.optimizer import ADAM
from plnkit.model import Parameters, covariance, elbo, log_factorials, precision, start


class PLN:
    """A PLN model that fits itself: counts Y (n, p), offsets O (n, p), covariates X (n, d)."""

    def __init__(self, Y: ArrayLike, O: ArrayLike, X: ArrayLike):
        self.Y, self.O, self.X = jnp.asarray(Y), jnp.asarray(O), jnp.asarray(X)
        self.log_factorial = log_factorials(self.Y)
        self.B, self.M, self.log_S, self.Omega = start(Y, X)
        self.log_det = jnp.zeros(())

    def loss(self, free: tuple[Array, Array, Array]) -> Array:
        parameters = Parameters(*free, self.Omega)
        return -elbo(parameters, self.Y, self.O, self.X, self.log_factorial, self.log_det)

    def fit(self, n_iterations: int, optimizer: optax.GradientTransformation) -> Array:
        """Take n_iterations steps; the ELBO before each of them, (n_iterations,)."""
        trace = jnp.zeros(n_iterations)
        free = (self.B, self.M, self.log_S)
        state = optimizer.init(free)
        for i in range(n_iterations):
            loss, gradient = jax.value_and_grad(self.loss)(free)
            updates, state = optimizer.update(gradient, state, free)
            free = self.B, self.M, self.log_S = jax.tree.map(jnp.add, free, updates)
            self.Omega, self.log_det = precision(covariance(self.M, self.log_S))
            trace = trace.at[i].set(-loss)
        return trace


def fit(
    Y: ArrayLike,
    O: ArrayLike,
    X: ArrayLike,
    n_iterations: int,
    optimizer: optax.GradientTransformation = ADAM,
) -> tuple[Parameters, Array]:
    """The fitted parameters and the ELBO before each iteration, (n_iterations,)."""
    pln = PLN(Y, O, X)
    trace = pln.fit(n_iterations, optimizer)
    return Parameters(pln.B, pln.M, pln.log_S, pln.Omega), trace
