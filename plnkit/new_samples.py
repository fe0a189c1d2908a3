"""Samples that a model was not fitted to: their latent positions, inferred from counts.

The posterior of a sample's latent position Z = X B + m, given the counts that are known, is
approximated by the Gaussian N(X B + m, V) with the best ELBO,

    sum_known [Y_j m_j - A_j] + (log det V - tr(Omega V) - m' Omega m) / 2,
    A_j = exp(O_j + (X B)_j + m_j + V_jj / 2).

V is a whole matrix, where a fit has the diagonal one of S^2. A mean-field deviation is what would
be left if all other positions were known: 1 / sqrt(Omega_jj) where there is no count, and too
little wherever counts are small and taxa go together.

At the optimum, m and V follow from the expected counts A, which are 0 where no count is known:

    m = Sigma (Y - A),  V = (Omega + diag(A))^-1.

These A minimise the dual, a strictly convex function of the known ones,

    (Y - A)' Sigma (Y - A) / 2 + sum_j A_j (log A_j - 1 - O_j - (X B)_j)
        - log det(Omega + diag(A)) / 2,

with gradient log A - O - X B - m - diag(V) / 2 and Hessian diag(1 / A) + Sigma + V * V / 2, where *
is a product of elements. Newton's method finds them.

What is not known conditions nothing. Its position follows from those of the known ones, by
W = Sigma_uk Sigma_kk^-1, their uncertainty included:

    m_u = W m_k,  V_uu = Sigma_uu - W Sigma_ku + W V_kk W'.

`predict_cond` of R's PLNmodels has the same with diag(S_k^2) for V_kk. Where nothing is known, V is
Sigma, and the expected counts are those of `Fit.predict`.

References:
    Opper, Archambeau (2009), The variational Gaussian approximation revisited, Neural Computation
    21(3), section 2 (V has no more parameters than there are counts).
    Khan, Aravkin, Friedlander, Seeger (2013), Fast dual variational inference for non-conjugate
    latent Gaussian models, Proceedings of Machine Learning Research 28(3), section 3 (the dual).
    Rasmussen, Williams (2006), Gaussian processes for machine learning, section 3.4.3 (which matrix
    to factorize).
"""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array
from jax.scipy.linalg import cho_solve, solve_triangular
from jax.typing import ArrayLike

MOST_AT_ONCE = 64  # samples
MEMORY = 2**28  # bytes of what they hold at a time: MATRICES (p, p) each
MATRICES = 8
TOLERANCE = 1e-9  # nats that the last step promises
MOST_STEPS = 1000  # tens, but for counts that contradict the model
SHORTEST = 1e-6  # part of a step
SUFFICIENT_DECREASE = 1e-4  # Armijo's constant


class Position(NamedTuple):
    """The Gaussian of latent positions.

    Attributes:
        mean: less X B, (m, p).
        variance: (m, p), the diagonals of V.
        converged: (m,).
    """

    mean: Array
    variance: Array
    converged: Array


class _Point(NamedTuple):
    """Expected counts of one sample, and what belongs to them."""

    A: Array  # (p,)
    m: Array  # (p,)
    v: Array  # V's diagonal, (p,)
    value: Array  # of the dual
    step: Array  # Newton's, (p,)
    promised: Array  # nats that the step would gain, were the dual linear: twice its gain


class _Search(NamedTuple):
    here: _Point
    length: Array  # of the step that is tried next
    converged: Array  # the last step promised next to nothing, and was taken
    steps: Array


@jax.jit
def infer(Y: ArrayLike, eta: ArrayLike, Sigma: ArrayLike) -> Position:
    """The Gaussian posterior of new samples' latent positions, B and Sigma held.

    Wants float64. Which counts are known may differ from sample to sample: one program serves all.

    Args:
        Y: counts, (m, p), NaN where a count is not known.
        eta: O + X B, (m, p).
        Sigma: covariance, (p, p).
    """
    Sigma, samples = jnp.asarray(Sigma), (jnp.asarray(Y), jnp.asarray(eta))
    m = len(samples[0])
    at_once = max(1, min(m, MOST_AT_ONCE, MEMORY // (MATRICES * Sigma.nbytes)))
    # Whole batches: for the rest, `map` would compile everything a second time.
    samples = jax.tree.map(lambda a: jnp.pad(a, ((0, -m % at_once), (0, 0))), samples)
    found = jax.lax.map(lambda one: _infer_one(one[0], one[1], Sigma), samples, batch_size=at_once)
    return jax.tree.map(lambda a: a[:m], found)


def _infer_one(y: Array, eta: Array, Sigma: Array) -> Position:
    known = jnp.isfinite(y)
    y = jnp.where(known, y, 0.0)
    identity = jnp.eye(len(y), dtype=Sigma.dtype)

    def evaluate(A: Array) -> _Point:
        root = jnp.sqrt(A)

        def factorize(matrix: Array) -> Array:
            # Well conditioned for counts of a million as for none.
            return jnp.linalg.cholesky(identity + root[:, None] * matrix * root)

        L = factorize(Sigma)
        U = solve_triangular(L, root[:, None] * Sigma, lower=True)
        V = Sigma - U.T @ U
        m, v, log_A = Sigma @ (y - A), jnp.diagonal(V), jnp.log(jnp.where(known, A, 1.0))
        value = (y - A) @ m / 2 + A @ (log_A - 1 - eta) - jnp.sum(jnp.log(jnp.diagonal(L)))
        slope = jnp.where(known, log_A - eta - m - v / 2, 0.0)
        step = -root * cho_solve((factorize(Sigma + V**2 / 2), True), root * slope)
        return _Point(A, m, v, value, step, -slope @ step)

    def move(here: _Point, length: Array) -> Array:
        # Along the step first, and always positive.
        less = jnp.exp(length * jnp.minimum(here.step, 0.0) / jnp.where(known, here.A, 1.0))
        return here.A * less + length * jnp.maximum(here.step, 0.0)

    def iterate(state: _Search) -> _Search:
        """Take a part of the step if the dual falls, or else try half of it in the next round."""
        here, length = state.here, state.length
        there = evaluate(move(here, length))
        rounding = 64 * jnp.finfo(y.dtype).eps * (1 + jnp.abs(there.value))
        most = here.value - SUFFICIENT_DECREASE * length * here.promised + rounding
        falls = there.value <= most
        return _Search(
            jax.tree.map(partial(jnp.where, falls), there, here),
            jnp.where(falls, 1.0, length / 2),
            falls & (here.promised <= TOLERANCE),
            state.steps + 1,
        )

    def goes_on(state: _Search) -> Array:
        return ~state.converged & (state.length > SHORTEST) & (state.steps < MOST_STEPS)

    # What is seen, and half of what was expected where that is little: a zero then tells nothing.
    A = y + jnp.exp(jnp.minimum(eta + jnp.diagonal(Sigma) / 2, 0.0)) / 2
    A, zeros, one = jnp.where(known, A, 0.0), jnp.zeros_like(y), jnp.ones((), y.dtype)
    # The first round evaluates the start. Before the loop, it would be compiled twice.
    start = _Point(A, zeros, zeros, jnp.inf * one, zeros, one)
    first = _Search(start, one, jnp.bool_(False), jnp.int32(0))
    last = jax.lax.while_loop(goes_on, iterate, first)
    return Position(last.here.m, last.here.v, last.converged)
