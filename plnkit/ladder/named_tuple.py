"""Level 3: the model in one NamedTuple, which is a pytree as it stands.

Its fields are arrays only. Sizes come from shapes: n, p, d as fields would be traced, and no shape
could be made of them.
"""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import optax
from jax import Array
from jax.typing import ArrayLike

from plnkit.ladder.optimizer import ADAM
from plnkit.model import Parameters, covariance, elbo, log_factorials, precision, start


class PLN(NamedTuple):
    """Data and parameters; `_replace` gives a new one, nothing is changed in place."""

    Y: Array
    O: Array
    X: Array
    log_factorial: Array
    B: Array
    M: Array
    log_S: Array
    Omega: Array
    log_det: Array


def loss(free: tuple[Array, Array, Array], pln: PLN) -> Array:
    parameters = Parameters(*free, pln.Omega)
    return -elbo(parameters, pln.Y, pln.O, pln.X, pln.log_factorial, pln.log_det)


@partial(jax.jit, static_argnames=("n_iterations", "optimizer"))
def fit(
    Y: ArrayLike,
    O: ArrayLike,
    X: ArrayLike,
    n_iterations: int,
    optimizer: optax.GradientTransformation = ADAM,
) -> tuple[Parameters, Array]:
    """The fitted parameters and the ELBO before each iteration, (n_iterations,)."""

    def body(carry, _):
        pln, state = carry
        free = pln.B, pln.M, pln.log_S
        value, gradient = jax.value_and_grad(loss)(free, pln)
        updates, state = optimizer.update(gradient, state, free)
        B, M, log_S = jax.tree.map(jnp.add, free, updates)
        Omega, log_det = precision(covariance(M, log_S))
        pln = pln._replace(B=B, M=M, log_S=log_S, Omega=Omega, log_det=log_det)
        return (pln, state), -value

    Y, O, X = jnp.asarray(Y), jnp.asarray(O), jnp.asarray(X)
    pln = PLN(Y, O, X, log_factorials(Y), *start(Y, X), log_det=jnp.zeros(()))
    carry = pln, optimizer.init((pln.B, pln.M, pln.log_S))
    (pln, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return Parameters(pln.B, pln.M, pln.log_S, pln.Omega), trace
