"""Samples that a model was not fitted to: their latent positions, inferred from counts."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array
from jax.typing import ArrayLike

AT_ONCE = 64  # samples, with a matrix (p, p) each
TOLERANCE = 1e-9  # nats that a step still promises
MOST_STEPS = 100
BACKTRACK = 0.5
SHORTEST = 1e-6
SUFFICIENT_INCREASE = 1e-4  # Armijo's constant


class Position(NamedTuple):
    """A sample's variational parameters: mean less X B, and log deviation, (p,) each."""

    m: Array
    log_s: Array


class _State(NamedTuple):
    position: Position
    value: Array
    decrement: Array
    steps: Array


@jax.jit
def infer(Y: ArrayLike, eta: ArrayLike, Omega: ArrayLike) -> Position:
    """The variational parameters of new samples, B and Omega held: Newton's method on the ELBO.

    It is concave in mean and log deviation, so that every start leads there. Wants float64.

    Args:
        Y: counts, (m, p), NaN where a count is not known.
        eta: O + X B, (m, p).
        Omega: precision, (p, p).

    Returns:
        Mean less X B, and log deviation, (m, p) each.

    References:
        Chiquet, Mariadassou, Robin (2018), The Annals of Applied Statistics 12(4), section 3.2.
    """
    Omega = jnp.asarray(Omega)

    def of_one(sample: tuple[Array, Array]) -> Position:
        return _maximise(*sample, Omega)

    return jax.lax.map(of_one, (jnp.asarray(Y), jnp.asarray(eta)), batch_size=AT_ONCE)


def _maximise(y: Array, eta: Array, Omega: Array) -> Position:
    known = jnp.isfinite(y)
    y = jnp.where(known, y, 0.0)
    omega = jnp.diagonal(Omega)

    def expected(position: Position) -> Array:
        m, log_s = position
        return jnp.where(known, jnp.exp(eta + m + jnp.exp(2 * log_s) / 2), 0.0)

    def elbo(position: Position) -> Array:
        m, log_s = position
        return (
            jnp.sum(y * m - expected(position) + log_s - jnp.exp(2 * log_s) * omega / 2)
            - m @ Omega @ m / 2
        )

    def newton(position: Position) -> tuple[Position, Array]:
        m, log_s = position
        A, s2 = expected(position), jnp.exp(2 * log_s)
        slope = Position(y - A - Omega @ m, 1 - s2 * (A + omega))
        stiff = 2 * s2 * (A + omega) + A * s2**2
        mixed = A * s2 / stiff
        matrix = Omega + jnp.diag(A - A * s2 * mixed)
        u = jnp.linalg.solve(matrix, slope.m - mixed * slope.log_s)
        v = (slope.log_s - A * s2 * u) / stiff
        return Position(u, v), u @ slope.m + v @ slope.log_s

    def step(state: _State) -> _State:
        move, decrement = newton(state.position)

        def moved(length: Array) -> Position:
            return jax.tree.map(lambda x, dx: x + length * dx, state.position, move)

        def too_long(length: Array) -> Array:
            wanted = state.value + SUFFICIENT_INCREASE * length * decrement
            return ~(elbo(moved(length)) >= wanted) & (length > SHORTEST)

        length = jax.lax.while_loop(too_long, lambda x: BACKTRACK * x, jnp.ones_like(decrement))
        position = moved(length)
        return _State(position, elbo(position), decrement, state.steps + 1)

    def goes_on(state: _State) -> Array:
        return (state.decrement > TOLERANCE) & (state.steps < MOST_STEPS)

    start = Position(
        jnp.where(known, jnp.log(y + 0.5) - eta, 0.0), -0.5 * jnp.log(y + 0.5 * known + omega)
    )
    first = _State(start, elbo(start), jnp.full_like(elbo(start), jnp.inf), jnp.int32(0))
    return jax.lax.while_loop(goes_on, step, first).position
