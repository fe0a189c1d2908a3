"""The fast fit: preconditioned L-BFGS on the profiled ELBO, one compiled program.

The variables are the mean's distance from the log count, and log S. Counts of 1e6 then keep their
digits in float32, where O + M and exp(O + M) would lose them. The gradient is written by hand: two
thirds of autodiff's time.

The preconditioner has two parts. The diagonal of the Hessian, because entries with large counts are
a million times stiffer than those with none; and, for each taxon, the d x d Hessian of its
coefficients: moving all means of a taxon along the covariates costs nothing in Sigma, which the
diagonal does not know. One pair of memory is enough then, and a rejected step is a select.

References:
    Liu, Nocedal (1989), On the limited memory BFGS method for large scale optimization,
    Mathematical Programming 45.
    Chiquet, Mariadassou, Robin (2018), The Annals of Applied Statistics 12(4), section 3.2 (ELBO
    and its gradient).
"""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array
from jax.scipy.special import gammaln, xlogy
from jax.typing import ArrayLike

from plnkit.model import Latent, precision, total

SUFFICIENT_INCREASE = 1e-4  # Armijo's constant
BACKTRACK = 0.4
SMALLEST_STEP = 1e-4
FORGETTING = 0.8  # of the decrements' envelope: single ones dip long before the end
SHARE = 0.5  # of the coefficients' own Newton step, beside the diagonal's
RIDGE = 1e-2  # in expected counts: a taxon that a covariate excludes has no curvature left there
MOST_ITERATIONS = 1000  # the trace's length, which the program must know


class Solution(NamedTuple):
    """What `solve` returns.

    Attributes:
        latent: whole mean M and log S, each (n, p).
        elbo: in nats, exact log-factorials; accurate to a few float32 ulps of its value.
        trace: ELBO after every iteration, (MOST_ITERATIONS,), NaN after the last.
        iterations: evaluations of the ELBO.
        converged: whether the decrements fell to the tolerance.
    """

    latent: Latent
    elbo: Array
    trace: Array
    iterations: Array
    converged: Array


class Point(NamedTuple):
    """Where the solver is: delta = O + M - log max(Y, 1), and log S, each (n, p)."""

    delta: Array
    log_S: Array


class Problem(NamedTuple):
    """What stays the same during a fit."""

    Y: Array  # (n, p)
    mask: Array  # (n, 1): 0 for a row that only pads
    Q: Array  # (n, d), orthonormal basis of the covariates
    base: Array  # (n, p): log max(Y, 1) - O, its regression on X taken out
    n: Array
    constant: Array  # what of the ELBO no parameter enters


class Gradient(NamedTuple):
    """Of the ELBO in delta and log S, each (n, p), and in the coefficients, (d, p).

    The last follows from the first, Q' delta, but for R Omega's part, which is zero there and would
    leave rounding behind.
    """

    delta: Array
    log_S: Array
    B: Array


class Inverse(NamedTuple):
    """Inverse curvature: of the entries, each (n, p), and of the coefficients, (p, d, d)."""

    delta: Array
    log_S: Array
    B: Array


class SolverState(NamedTuple):
    iterations: Array
    point: Point
    value: Array
    gradient: Gradient
    inverse: Inverse
    displacement: Point  # the last accepted step, and the change of gradient along it
    change: Gradient
    rho: Array  # 1 / <displacement, change>; 0 forgets the pair
    step: Array
    decrement: Array  # envelope of <move, gradient>, about twice what a step gains
    trace: Array


@jax.jit
def solve(
    Y: ArrayLike,
    O: ArrayLike,
    X: ArrayLike,
    mask: ArrayLike | None = None,
    tolerance: ArrayLike = 1e-5,
    max_iterations: ArrayLike = MOST_ITERATIONS,
) -> Solution:
    """Fit a PLN model. A pure function of arrays: `jax.vmap` and sharded arrays work.

    Args:
        Y: counts, (n, p).
        O: offsets, (n, p).
        X: covariates of full column rank, (n, d).
        mask: 0 for rows that only pad, else 1, (n,). Rows that pad have X = O = Y = 0.
        tolerance: stop when steps gain about half this many nats for each sample.
        max_iterations: up to MOST_ITERATIONS.
    """
    Y, O, X = jnp.asarray(Y), jnp.asarray(O), jnp.asarray(X)
    mask = jnp.ones(Y.shape[0], Y.dtype) if mask is None else jnp.asarray(mask, Y.dtype)
    log_Y = jnp.log(jnp.maximum(Y, 1.0))
    mask, Q = mask[:, None], jnp.linalg.qr(X)[0]
    # A row that pads has nothing to give to Sigma.
    problem = Problem(
        Y, mask, Q, residual(log_Y - O, Q) * mask, jnp.sum(mask), -total(mask * log_remainder(Y))
    )
    start = Point(jnp.log(Y + 0.5) * mask - log_Y, -0.5 * jnp.log(Y + 1.0))
    start = start._replace(delta=start.delta * mask)
    nats = tolerance * problem.n
    limit = jnp.minimum(max_iterations, MOST_ITERATIONS)
    final = maximise(problem, start, nats, limit)
    latent = Latent(final.point.delta + log_Y - O, final.point.log_S)
    converged = final.decrement <= nats
    return Solution(latent, final.value, final.trace, final.iterations, converged)


def residual(M: Array, Q: Array) -> Array:
    """M less its regression on the covariates, of which Q is an orthonormal basis."""
    with jax.default_matmul_precision("highest"):
        return M - Q @ (Q.T @ M)


def log_remainder(Y: Array) -> Array:
    """log Y! - (Y log Y - Y), which is small: the difference would lose every digit in float32."""
    Z = jnp.maximum(Y, 8.0)
    series = 0.5 * jnp.log(2 * jnp.pi * Z) + 1 / (12 * Z) - 1 / (360 * Z**3)
    small = jnp.minimum(Y, 8.0)
    return jnp.where(Y > 8.0, series, gammaln(small + 1) - xlogy(small, small) + small)


def evaluate(point: Point, problem: Problem) -> tuple[Array, Gradient, Inverse]:
    """ELBO, gradient, and the inverse of what of the Hessian (sign changed) is cheap to invert."""
    delta, log_S = point
    Y, mask, Q, base, n, constant = problem
    S2 = jnp.exp(2 * log_S)
    growth = jnp.exp(delta + S2 / 2)
    peak = jnp.maximum(Y, 1.0)
    R = base + residual(delta, Q)
    with jax.default_matmul_precision("highest"):
        Sigma = (R.T @ R + jnp.diag(jnp.sum(mask * S2, axis=0))) / n
        Omega, log_det = precision(Sigma)
        pull = R @ Omega
    # Poisson terms relative to Y log Y - Y, which `constant` has the rest of.
    entries = total(mask * (Y * delta - peak * growth + Y + log_S))
    A = peak * growth
    weight = A + jnp.diagonal(Omega)
    surplus = mask * (Y - A)
    with jax.default_matmul_precision("highest"):
        along_B = Q.T @ surplus
    gradient = Gradient(surplus - pull, mask * (1 - S2 * weight), along_B)
    inverse = Inverse(1 / weight, 1 / (S2 * (2 * weight + S2 * A)), invert_coefficients(A, Q))
    return entries + 0.5 * n * log_det + constant, gradient, inverse


def invert_coefficients(A: Array, Q: Array) -> Array:
    """(Q' diag(A_j) Q + ridge)^-1 of every taxon j, (p, d, d)."""
    d = Q.shape[1]
    hessian = jnp.einsum("id,ij,ie->jde", Q, A, Q) + RIDGE * jnp.eye(d, dtype=A.dtype)
    return jnp.linalg.inv(hessian) if d > 1 else 1 / hessian  # no LAPACK call for a division


def maximise(problem: Problem, start: Point, tolerance: ArrayLike, limit: ArrayLike) -> SolverState:
    """L-BFGS with one pair, until steps gain too little, or none does."""
    value, gradient, inverse = evaluate(start, problem)
    at_rest, unchanged = jax.tree.map(jnp.zeros_like, (start, gradient))
    first = SolverState(
        iterations=jnp.int32(1),
        point=start,
        value=value,
        gradient=gradient,
        inverse=inverse,
        displacement=at_rest,
        change=unchanged,
        rho=jnp.zeros_like(value),
        step=jnp.ones_like(value),
        decrement=jnp.full_like(value, jnp.inf),
        trace=jnp.full((MOST_ITERATIONS,), jnp.nan, value.dtype).at[0].set(value),
    )

    def goes_on(state: SolverState) -> Array:
        return (
            (state.iterations < limit)
            & (state.decrement > tolerance)
            & (state.step > SMALLEST_STEP)
        )

    return jax.lax.while_loop(goes_on, partial(iterate, problem), first)


def iterate(problem: Problem, state: SolverState) -> SolverState:
    move = direction(state, problem.Q)
    decrement = dot(move, state.gradient)
    displacement = jax.tree.map(lambda m: state.step * m, move)
    point = jax.tree.map(jnp.add, state.point, displacement)
    value, gradient, inverse = evaluate(point, problem)
    change = jax.tree.map(jnp.subtract, state.gradient, gradient)
    curvature = dot(displacement, change)

    rounding = 4 * jnp.finfo(value.dtype).eps * jnp.abs(state.value)
    # False for NaN too: a step that overflows, or into a singular Sigma, is taken back.
    accept = value >= state.value + SUFFICIENT_INCREASE * state.step * decrement - rounding

    def choose(new, old):
        return jax.tree.map(lambda a, b: jnp.where(accept, a, b), new, old)

    return SolverState(
        iterations=state.iterations + 1,
        point=choose(point, state.point),
        value=choose(value, state.value),
        gradient=choose(gradient, state.gradient),
        inverse=choose(inverse, state.inverse),
        displacement=choose(displacement, state.displacement),
        change=choose(change, state.change),
        rho=choose(jnp.where(curvature > 0, 1 / curvature, 0.0), state.rho),
        step=jnp.where(accept, 1.0, BACKTRACK * state.step),
        decrement=jnp.where(
            jnp.isinf(state.decrement),
            decrement,
            jnp.maximum(decrement, FORGETTING * state.decrement),
        ),
        trace=state.trace.at[state.iterations].set(choose(value, state.value)),
    )


def direction(state: SolverState, Q: Array) -> Point:
    """The two-loop recursion with one pair, around the preconditioner."""
    displacement, change, rho = state.displacement, state.change, state.rho
    alpha = rho * dot(displacement, state.gradient)
    left = jax.tree.map(lambda g, y: g - alpha * y, state.gradient, change)
    move = precondition(left, state.inverse, Q)
    beta = rho * dot(move, change)
    return jax.tree.map(lambda m, s: m + s * (alpha - beta), move, displacement)


def precondition(vector: Gradient, inverse: Inverse, Q: Array) -> Point:
    shift = jnp.einsum("jde,ej->dj", inverse.B, vector.B)
    delta = inverse.delta * vector.delta + SHARE * (Q @ shift)
    return Point(delta, inverse.log_S * vector.log_S)


def dot(a: Point, b: Gradient) -> Array:
    return total(a.delta * b.delta + a.log_S * b.log_S)
