"""Level 3.5: a frozen dataclass, registered as a pytree.

Arrays are leaves; what is no array (the optimizer) is a static field, part of the pytree's
structure: jit compares it and compiles anew when it differs.
"""

from dataclasses import dataclass, field, replace
from functools import partial

import jax
import jax.numpy as jnp
import optax
from jax import Array
from jax.typing import ArrayLike

from plnkit.ladder.optimizer import ADAM
from plnkit.model import Parameters, covariance, elbo, log_factorials, precision, start


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class PLN:
    """Data, parameters and the optimizer that fits them."""

    Y: Array
    O: Array
    X: Array
    log_factorial: Array
    parameters: Parameters
    log_det: Array
    optimizer: optax.GradientTransformation = field(metadata={"static": True})


def loss(free: tuple[Array, Array, Array], pln: PLN) -> Array:
    parameters = Parameters(*free, pln.parameters.Omega)
    return -elbo(parameters, pln.Y, pln.O, pln.X, pln.log_factorial, pln.log_det)


@partial(jax.jit, static_argnames="n_iterations")
def run(pln: PLN, n_iterations: int) -> tuple[PLN, Array]:
    """The fitted model and the ELBO before each iteration."""

    def body(carry, _):
        pln, state = carry
        free = pln.parameters[:3]
        value, gradient = jax.value_and_grad(loss)(free, pln)
        updates, state = pln.optimizer.update(gradient, state, free)
        B, M, log_S = jax.tree.map(jnp.add, free, updates)
        Omega, log_det = precision(covariance(M, log_S))
        pln = replace(pln, parameters=Parameters(B, M, log_S, Omega), log_det=log_det)
        return (pln, state), -value

    carry = pln, pln.optimizer.init(pln.parameters[:3])
    (pln, _), trace = jax.lax.scan(body, carry, length=n_iterations)
    return pln, trace


@partial(jax.jit, static_argnames="optimizer")
def build(Y: Array, O: Array, X: Array, optimizer: optax.GradientTransformation) -> PLN:
    return PLN(Y, O, X, log_factorials(Y), start(Y, X), jnp.zeros(()), optimizer)


def fit(
    Y: ArrayLike,
    O: ArrayLike,
    X: ArrayLike,
    n_iterations: int,
    optimizer: optax.GradientTransformation = ADAM,
) -> tuple[Parameters, Array]:
    """The fitted parameters and the ELBO before each iteration, (n_iterations,)."""
    pln = build(jnp.asarray(Y), jnp.asarray(O), jnp.asarray(X), optimizer)
    pln, trace = run(pln, n_iterations)
    return pln.parameters, trace
