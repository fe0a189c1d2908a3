"""Samples that a model was not fitted to: their latent positions, inferred from counts.

The posterior of a sample's latent position Z = X B + m, given the counts that are known, is
approximated by the Gaussian N(X B + m, V) with the best ELBO,

    sum_known [Y_j m_j - A_j] + (log det V - tr(Omega V) - m' Omega m) / 2,
    A_j = exp(O_j + (X B)_j + m_j + V_jj / 2),

which is concave in m and V together. V is a whole matrix, where a fit has the diagonal one of S^2.
A mean-field deviation is what would be left if all other positions were known: 1 / sqrt(Omega_jj)
where there is no count, and too little wherever counts are small and taxa go together. At the
optimum,

    m = Sigma g,  V = (Omega + diag(a))^-1,  with g = Y - A and a = A where known, else 0.

So what is not known conditions nothing. Its position follows from those of the known ones, by
W = Sigma_uk Sigma_kk^-1, their uncertainty included:

    m_u = W m_k,  V_uu = Sigma_uu - W Sigma_ku + W V_kk W'.

`predict_cond` of R's PLNmodels has the same with diag(S_k^2) for V_kk. Where nothing is known, V is
Sigma, and the expected counts are those of `Fit.predict`.

References:
    Opper, Archambeau (2009), The variational Gaussian approximation revisited, Neural Computation
    21(3), section 2 (V has no more parameters than there are counts).
    Challis, Barber (2013), Gaussian Kullback-Leibler approximate inference, Journal of Machine
    Learning Research 14, section 3 (concavity).
    Rasmussen, Williams (2006), Gaussian processes for machine learning, section 3.4.3 (which matrix
    to factorize).
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array
from jax.scipy.linalg import cho_solve, solve_triangular
from jax.typing import ArrayLike

MOST_AT_ONCE = 64  # samples
MEMORY = 2**28  # bytes of what they hold at a time: MATRICES (p, p) each
MATRICES = 8
TOLERANCE = 1e-9  # nats that a step still promises
MOST_STEPS = 100
LONGEST = 8.0  # a step's change of a log expected count: beyond, curvature says nothing
BACKTRACK = 0.5
SHORTEST = 1e-6  # of the first length tried
SUFFICIENT_INCREASE = 1e-4  # Armijo's constant


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
    """A sample's Gaussian, as m = Sigma g and V = (Omega + diag(a))^-1, (p,) each."""

    g: Array
    a: Array


class _Gaussian(NamedTuple):
    """A sample's Gaussian, and its ELBO."""

    m: Array
    v: Array  # V's diagonal
    U: Array  # (p, p): V = Sigma - U'U
    value: Array
    rounding: Array  # of the value


class _State(NamedTuple):
    point: _Point
    there: _Gaussian
    promised: (
        Array  # nats that the last step would have gained, were the ELBO linear: twice its gain
    )
    gains: Array  # whether the last step did
    steps: Array


@jax.jit
def infer(Y: ArrayLike, eta: ArrayLike, Sigma: ArrayLike) -> Position:
    """The Gaussian posterior of new samples' latent positions, B and Sigma held.

    Newton's method on a concave ELBO. Wants float64. Which counts are known may differ from sample
    to sample: one program serves all.

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

    def of_one(sample: tuple[Array, Array]) -> Position:
        return _maximise(*sample, Sigma)

    found = jax.lax.map(of_one, samples, batch_size=at_once)
    return jax.tree.map(lambda a: a[:m], found)


def _maximise(y: Array, eta: Array, Sigma: Array) -> Position:
    known = jnp.isfinite(y)
    y = jnp.where(known, y, 0.0)
    identity = jnp.eye(len(y), dtype=Sigma.dtype)

    def factorize(a: Array, matrix: Array) -> Array:
        # Well conditioned for counts of a million as for none.
        root = jnp.sqrt(a)
        return jnp.linalg.cholesky(identity + root[:, None] * matrix * root)

    def expected(m: Array, v: Array) -> Array:
        return jnp.where(known, jnp.exp(eta + m + v / 2), 0.0)

    def evaluate(point: _Point) -> _Gaussian:
        g, a = point
        L = factorize(a, Sigma)
        U = solve_triangular(L, jnp.sqrt(a)[:, None] * Sigma, lower=True)
        m, v = Sigma @ g, jnp.diagonal(Sigma) - jnp.sum(U**2, axis=0)
        # log det V Omega, and tr(Omega V) = p - a'v
        terms = jnp.stack(
            [y * m, -expected(m, v), a * v / 2, -g * m / 2, -jnp.log(jnp.diagonal(L))]
        )
        rounding = 8 * jnp.finfo(terms.dtype).eps * jnp.sum(jnp.abs(terms))
        return _Gaussian(m, v, U, jnp.sum(terms), rounding)

    def newton(point: _Point, there: _Gaussian) -> tuple[_Point, Array, Array]:
        """The step in m and V, as one in g and a; what it promises; the largest length to try."""
        (g, a), A = point, expected(there.m, there.v)
        # V moves by V diag(-da) V, its diagonal by -H da.
        H = (Sigma - there.U.T @ there.U) ** 2
        slope, curved = y - A - g, Sigma + H / 2
        root = jnp.sqrt(A)
        right = root * (Sigma @ slope + H @ (a - A) / 2)
        grown = root * cho_solve((factorize(A, curved), True), right)  # A's change, A (dm + dv / 2)
        dg, da = slope - grown, A + grown - a
        dm, dv = Sigma @ dg, -H @ da
        promised = slope @ dm + (a - A) @ dv / 2
        change = jnp.max(jnp.abs(jnp.where(known, dm + dv / 2, 0.0)))
        return _Point(dg, da), promised, jnp.minimum(1.0, LONGEST / change)

    def move(point: _Point, step: _Point, length: Array) -> _Point:
        (g, a), (dg, da) = point, step
        # Along the step first, and always positive.
        less = a * jnp.exp(length * jnp.minimum(da, 0.0) / jnp.where(a > 0, a, 1.0))
        return _Point(g + length * dg, less + length * jnp.maximum(da, 0.0))

    def climb(state: _State) -> _State:
        point, here = state.point, state.there
        step, promised, longest = newton(point, here)

        def falls_short(tried: tuple[Array, _Gaussian]) -> Array:
            length, there = tried
            least = here.value + SUFFICIENT_INCREASE * length * promised - here.rounding
            return ~(there.value >= least)

        def shorten(tried: tuple[Array, _Gaussian]) -> tuple[Array, _Gaussian]:
            length = BACKTRACK * tried[0]
            return length, evaluate(move(point, step, length))

        # No length is tried before the loop: `evaluate` would be compiled twice.
        length, there = jax.lax.while_loop(
            lambda tried: falls_short(tried) & (tried[0] > SHORTEST * longest),
            shorten,
            (longest / BACKTRACK, here._replace(value=jnp.full_like(here.value, -jnp.inf))),
        )
        gains = ~falls_short((length, there))
        return _State(move(point, step, length), there, promised, gains, state.steps + 1)

    def goes_on(state: _State) -> Array:
        return (state.promised > TOLERANCE) & state.gains & (state.steps < MOST_STEPS)

    # As if the logarithms of counts were Gaussian, with variance 1 / a. A zero tells nothing where
    # nothing else was expected.
    prior = jnp.exp(jnp.minimum(eta + jnp.diagonal(Sigma) / 2, 0.0))
    a = jnp.where(known, y + prior / 2, 0.0)
    root, residual = jnp.sqrt(a), jnp.log(jnp.maximum(y, 0.5)) - eta
    guess = root * cho_solve((factorize(a, Sigma), True), root * residual)
    # Counts that contradict the model lead it far from all of them: then from g = 0.
    starts = _Point(jnp.stack([guess, jnp.zeros_like(y)]), jnp.stack([a, a]))
    values = jax.vmap(evaluate)(starts)
    better = (values.value[0] < values.value[1]).astype(int)
    start, there = jax.tree.map(lambda both: both[better], (starts, values))
    first = _State(start, there, jnp.full_like(there.value, jnp.inf), jnp.bool_(True), jnp.int32(0))
    last = jax.lax.while_loop(goes_on, climb, first)
    return Position(last.there.m, last.there.v, last.promised <= TOLERANCE)
