"""The fast fit: preconditioned L-BFGS on the profiled ELBO, one compiled program.

The variables are the mean's distance from the log count, and log S. Counts of 1e6 then keep their
digits in float32, where O + M and exp(O + M) would lose them. The gradient is written by hand: two
thirds of autodiff's time. With the preconditioner (`plnkit.preconditioner`), one pair of memory is
enough.

Inside, arrays are (p, n): sums over samples, a dozen in an iteration, then run along memory, and
R R' needs no transpose.

References:
    Liu, Nocedal (1989), On the limited memory BFGS method for large scale optimization,
    Mathematical Programming 45.
    Chiquet, Mariadassou, Robin (2018), The Annals of Applied Statistics 12(4), section 3.2 (ELBO
    and its gradient).
"""

import math
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array
from jax.typing import ArrayLike

from plnkit.linear import invert_and_log_det
from plnkit.model import Latent, total
from plnkit.preconditioner import Curvature, Gradient, Point, precondition

SUFFICIENT_INCREASE = 1e-4  # Armijo's constant
BACKTRACK = 0.4
SMALLEST_STEP = 1e-4
LAST = 3  # steps that must all gain little: single ones do long before the end
MOST_ITERATIONS = 1000  # the trace's length, which the program must know
SMALL_REMAINDERS = (0.0, *(math.lgamma(y + 1) - y * math.log(y) + y for y in range(1, 9)))
"""log Y! - (Y log Y - Y) for counts from 0 on; Stirling's series takes over after the last."""


class Solution(NamedTuple):
    """What `solve` returns.

    Attributes:
        latent: whole mean M and log S, each (n, p).
        elbo: in nats, exact log-factorials; accurate to a few float32 ulps of its value.
        trace: ELBO after every iteration, (MOST_ITERATIONS,), NaN after the last.
        iterations: steps, the start counted as one.
        converged: whether the last steps gained less than the tolerance.
    """

    latent: Latent
    elbo: Array
    trace: Array
    iterations: Array
    converged: Array


class Problem(NamedTuple):
    """What stays the same during a fit."""

    Y: Array  # (p, n)
    mask: Array  # (n,): 0 for a sample that only pads
    Q: Array  # (d, n), orthonormal basis of the covariates
    base: Array  # (p, n): log max(Y, 1) - O, its regression on X taken out
    n: Array
    constant: Array  # what of the ELBO no parameter enters


class Evaluation(NamedTuple):
    """The ELBO at a point, as a scalar, its gradient and its curvature."""

    value: Array
    gradient: Gradient
    curvature: Curvature


class Trial(NamedTuple):
    """A step, of which a part is tried: less and less of it, until it gains enough."""

    origin: Point  # where the step begins
    gradient: Gradient  # there
    value: Array  # there
    move: Point  # the whole step
    part: Array  # that is tried; a part of 0 gains enough, and is the last


class SolverState(NamedTuple):
    """After a trial."""

    iterations: Array  # steps that were taken
    trial: Trial
    end: Point  # where it leads
    there: Evaluation  # at the end
    gains: Array  # whether it gains enough
    slopes: Array  # <move, gradient> at the origin and at the end, (2,)
    decrements: Array  # <move, gradient> of the last steps, (LAST,): about twice what each gained
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
        Y: counts, whole numbers, (n, p).
        O: offsets, (n, p).
        X: covariates of full column rank, (n, d).
        mask: 0 for rows that only pad, else 1, (n,). Rows that pad have X = O = Y = 0.
        tolerance: stop when steps gain about half this many nats for each sample.
        max_iterations: up to MOST_ITERATIONS.
    """
    return solve_in_basis(Y, O, jnp.linalg.qr(jnp.asarray(X))[0], mask, tolerance, max_iterations)


def solve_in_basis(
    Y: ArrayLike,
    O: ArrayLike,
    Q: ArrayLike,
    mask: ArrayLike | None,
    tolerance: ArrayLike,
    max_iterations: ArrayLike,
) -> Solution:
    """`solve`, where an orthonormal basis of the covariates is at hand, Q (n, d)."""
    Y, O, Q = jnp.asarray(Y).T, jnp.asarray(O).T, jnp.asarray(Q).T
    mask = jnp.ones(Y.shape[1], Y.dtype) if mask is None else jnp.asarray(mask, Y.dtype)
    log_Y = jnp.log(jnp.maximum(Y, 1.0))
    # A sample that pads has nothing to give to Sigma.
    problem = Problem(
        Y, mask, Q, residual(log_Y - O, Q) * mask, jnp.sum(mask), -total(mask * log_remainder(Y))
    )
    start = Point((jnp.log(Y + 0.5) - log_Y) * mask, -0.5 * jnp.log(Y + 1.0))
    nats = tolerance * problem.n
    limit = jnp.minimum(max_iterations, MOST_ITERATIONS)
    final = maximise(problem, start, nats, limit)
    latent = Latent((final.end.delta + log_Y - O).T, final.end.log_S.T)
    converged = jnp.max(final.decrements) <= nats
    return Solution(latent, final.there.value, final.trace, final.iterations, converged)


def residual(M: Array, Q: Array) -> Array:
    """M (p, n) less its regression on the covariates, of which Q (d, n) is an orthonormal basis."""
    with jax.default_matmul_precision("highest"):
        return M - (M @ Q.T) @ Q


def log_remainder(Y: Array) -> Array:
    """log Y! - (Y log Y - Y), which is small: the difference would lose every digit in float32.

    Small counts are looked up: `gammaln` would take a tenth of the time to compile a fit.
    """
    last = len(SMALL_REMAINDERS) - 1
    Z = jnp.maximum(Y, float(last))
    series = 0.5 * jnp.log(2 * jnp.pi * Z) + 1 / (12 * Z) - 1 / (360 * Z**3)
    small = jnp.minimum(Y, float(last)).astype(int)
    return jnp.where(last < Y, series, jnp.asarray(SMALL_REMAINDERS, Y.dtype)[small])


def evaluate(point: Point, problem: Problem) -> Evaluation:
    """The ELBO, its gradient, and what its Hessian is made of."""
    delta, log_S = point
    Y, mask, Q, base, n, constant = problem
    S2 = jnp.exp(2 * log_S)
    A = jnp.maximum(Y, 1.0) * jnp.exp(delta + S2 / 2)
    R = base + residual(delta, Q)
    with jax.default_matmul_precision("highest"):
        Sigma = (R @ R.T + jnp.diag(jnp.sum(mask * S2, axis=1))) / n
        Omega, log_det = invert_and_log_det(Sigma)
        pull = Omega @ R
        surplus = mask * (Y - A)
        along_B = surplus @ Q.T
    # Poisson terms relative to Y log Y - Y, which `constant` has the rest of.
    entries = total(mask * (Y * delta - A + Y + log_S))
    omega = jnp.diagonal(Omega)
    slope = mask * (1 - S2 * (A + omega[:, None]))
    gradient = Gradient(surplus - pull, slope, along_B)
    value = entries - 0.5 * n * log_det + constant
    return Evaluation(value, gradient, Curvature(mask * A, S2, omega, R))


def maximise(problem: Problem, start: Point, tolerance: ArrayLike, limit: ArrayLike) -> SolverState:
    """L-BFGS with one pair, until steps gain too little, or none does."""
    there = nowhere(start, problem)
    dtype = problem.Y.dtype
    first = SolverState(
        iterations=jnp.int32(0),
        trial=Trial(
            start,
            there.gradient,
            there.value,
            move=jax.tree.map(jnp.zeros_like, start),
            part=jnp.ones((), dtype),
        ),
        end=start,
        there=there,
        gains=jnp.bool_(True),
        slopes=jnp.zeros((2,), dtype),
        decrements=jnp.full((LAST,), jnp.inf, dtype),
        trace=jnp.full((MOST_ITERATIONS,), jnp.nan, dtype),
    )

    def goes_on(state: SolverState) -> Array:
        climbs = jnp.max(state.decrements) > tolerance
        return ~state.gains | ((state.iterations < limit) & climbs & (state.trial.part > 0))

    return jax.lax.while_loop(goes_on, partial(try_step, problem), first)


def nowhere(start: Point, problem: Problem) -> Evaluation:
    """What stands for the evaluation before the first, which is at the start itself.

    The first step from here is zero. To evaluate the start before the loop would compile `evaluate`
    a second time.
    """
    zeros, ones = jnp.zeros_like(start.delta), jnp.ones_like(start.delta)
    along_B = jnp.zeros((len(zeros), len(problem.Q)), zeros.dtype)
    omega = jnp.ones_like(zeros[:, 0])
    value = jnp.full((), -jnp.inf, zeros.dtype)
    gradient = Gradient(zeros, zeros, along_B)
    return Evaluation(value, gradient, Curvature(ones, ones, omega, zeros))


def try_step(problem: Problem, state: SolverState) -> SolverState:
    """Try a step, or less of the last one if that did not gain enough.

    The first leads to the start. One loop goes through steps and shorter trials, so that the
    evaluation is compiled once.
    """
    begins = state.iterations == 0
    trial = jax.lax.cond(state.gains, partial(begin_step, problem.Q), shorten_step, state)
    origin, before, value, move, part = trial
    # If the move is infinite, 0 times it is not 0.
    end = jax.tree.map(lambda x, m: jnp.where(part > 0, x + part * m, x), origin, move)
    there = evaluate(end, problem)

    decrement = dot(move, before)
    rounding = 4 * jnp.finfo(value.dtype).eps * jnp.abs(value)
    # False for NaN too: a step that overflows, or into a singular Sigma, is taken back.
    rises = there.value >= value + SUFFICIENT_INCREASE * part * decrement - rounding
    # The start counts as a step, whatever it is worth.
    moved = begins | (rises & (part > 0))
    gained = jnp.where(begins, jnp.inf, decrement)
    decrements = jnp.roll(state.decrements, 1).at[0].set(gained)
    reached = jnp.where(moved, there.value, jnp.nan)
    return SolverState(
        iterations=state.iterations + moved,
        trial=trial,
        end=end,
        there=there,
        gains=moved | (part == 0),
        slopes=jnp.stack([decrement, dot(move, there.gradient)]),
        decrements=jnp.where(moved, decrements, state.decrements),
        trace=state.trace.at[state.iterations].set(reached),
    )


def begin_step(Q: Array, state: SolverState) -> Trial:
    """A whole step, from where the last one led."""
    there = state.there
    whole = jnp.ones_like(state.trial.part)
    return Trial(state.end, there.gradient, there.value, direction(state, Q), whole)


def shorten_step(state: SolverState) -> Trial:
    """Less of the same step, or nothing of it if it was very short already."""
    part = state.trial.part
    return state.trial._replace(part=jnp.where(part > SMALLEST_STEP, BACKTRACK * part, 0.0))


def direction(state: SolverState, Q: Array) -> Point:
    """The two-loop recursion with one pair, around the preconditioner.

    The pair is the part of the last move that was taken, and the change of gradient along it. A
    move along which the curvature is not positive is forgotten.
    """
    (_, before, _, move, part), there = state.trial, state.there
    curvature = state.slopes[0] - state.slopes[1]
    rho = jnp.where(curvature > 0, 1 / curvature, 0.0)
    alpha = rho * state.slopes[1]
    left = jax.tree.map(lambda g, b: (1 + alpha) * g - alpha * b, there.gradient, before)
    new = precondition(left, there.curvature, Q)
    beta = rho * dot(new, jax.tree.map(jnp.subtract, before, there.gradient))
    return jax.tree.map(lambda n, m: n + m * (part * alpha - beta), new, move)


def dot(a: Point, b: Gradient) -> Array:
    return total(a.delta * b.delta + a.log_S * b.log_S)
