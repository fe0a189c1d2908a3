"""The fast fit: preconditioned L-BFGS on the profiled ELBO, one compiled program.

The variables are the mean's distance from the log count, and log S. Counts of 1e6 then keep their
digits in float32, where O + M and exp(O + M) would lose them. The gradient is written by hand: two
thirds of autodiff's time. With the preconditioner (`plnkit.preconditioner`), one pair of memory is
enough.

References:
    Liu, Nocedal (1989), On the limited memory BFGS method for large scale optimization,
    Mathematical Programming 45.
    Chiquet, Mariadassou, Robin (2018), The Annals of Applied Statistics 12(4), section 3.2 (ELBO
    and its gradient).
"""

import math
from functools import partial
from typing import NamedTuple, TypeVar

import jax
import jax.numpy as jnp
from jax import Array
from jax.typing import ArrayLike

from plnkit.linear import invert_and_log_det, written_transpose
from plnkit.model import Latent, total
from plnkit.preconditioner import Curvature, Gradient, Point, precondition

SUFFICIENT_INCREASE = 1e-4  # Armijo's constant
BACKTRACK = 0.4
SMALLEST_STEP = 1e-4
LAST = 3  # steps that must all gain little: single ones do long before the end
MOST_ITERATIONS = 1000  # the trace's length, which the program must know
SMALL_REMAINDERS = (0.0, *(math.lgamma(y + 1) - y * math.log(y) + y for y in range(1, 9)))
"""log Y! - (Y log Y - Y) for counts from 0 on; Stirling's series takes over after the last."""

T = TypeVar("T")


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

    Y: Array  # (n, p)
    mask: Array  # (n, 1): 0 for a row that only pads
    Q: Array  # (n, d), orthonormal basis of the covariates
    base: Array  # (n, p): log max(Y, 1) - O, its regression on X taken out
    n: Array
    constant: Array  # what of the ELBO no parameter enters


class Evaluation(NamedTuple):
    """The ELBO at a point, as a scalar, its gradient and its curvature."""

    value: Array
    gradient: Gradient
    curvature: Curvature


class SolverState(NamedTuple):
    """Between two trials: a trial is a step of some length, and the evaluation where it leads.

    A trial that gains too little is repeated with a shorter step. One of length 0 gains enough, and
    is the last.
    """

    iterations: Array  # steps that were taken
    origin: Point  # where the step begins
    before: Gradient  # at the origin
    value: Array  # at the origin
    move: Point  # the whole step, of which a part may be tried
    step: Array  # the part that was tried
    there: Evaluation  # where that leads
    gains: Array  # whether it gains enough
    slopes: Array  # <move, gradient> at the origin and where the step leads, (2,)
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
    point = end_of(final)
    latent = Latent(point.delta + log_Y - O, point.log_S)
    converged = jnp.max(final.decrements) <= nats
    return Solution(latent, final.there.value, final.trace, final.iterations, converged)


def residual(M: Array, Q: Array) -> Array:
    """M less its regression on the covariates, of which Q is an orthonormal basis."""
    with jax.default_matmul_precision("highest"):
        return M - Q @ (Q.T @ M)


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
        Sigma = (written_transpose(R) @ R + jnp.diag(jnp.sum(mask * S2, axis=0))) / n
        Omega, log_det = invert_and_log_det(Sigma)
        pull = R @ Omega
        surplus = mask * (Y - A)
        along_B = Q.T @ surplus
    # Poisson terms relative to Y log Y - Y, which `constant` has the rest of.
    entries = total(mask * (Y * delta - A + Y + log_S))
    slope = mask * (1 - S2 * (A + jnp.diagonal(Omega)))
    gradient = Gradient(surplus - pull, slope, along_B)
    value = entries - 0.5 * n * log_det + constant
    return Evaluation(value, gradient, Curvature(mask * A, S2, Omega, R, pull))


def maximise(problem: Problem, start: Point, tolerance: ArrayLike, limit: ArrayLike) -> SolverState:
    """L-BFGS with one pair, until steps gain too little, or none does."""
    there = nowhere(start, problem)
    dtype = problem.Y.dtype
    first = SolverState(
        iterations=jnp.int32(0),
        origin=start,
        before=there.gradient,
        value=there.value,
        move=jax.tree.map(jnp.zeros_like, start),
        step=jnp.ones((), dtype),
        there=there,
        gains=jnp.bool_(True),
        slopes=jnp.zeros((2,), dtype),
        decrements=jnp.full((LAST,), jnp.inf, dtype),
        trace=jnp.full((MOST_ITERATIONS,), jnp.nan, dtype),
    )

    def goes_on(state: SolverState) -> Array:
        climbs = jnp.max(state.decrements) > tolerance
        return ~state.gains | ((state.iterations < limit) & climbs & (state.step > 0))

    return jax.lax.while_loop(goes_on, partial(try_step, problem), first)


def nowhere(start: Point, problem: Problem) -> Evaluation:
    """What stands for the evaluation before the first, which is at the start itself.

    The first step from here is zero. To evaluate the start before the loop would compile `evaluate`
    a second time.
    """
    zeros, ones = jnp.zeros_like(start.delta), jnp.ones_like(start.delta)
    along_B = jnp.zeros((problem.Q.shape[1], zeros.shape[1]), zeros.dtype)
    Omega = jnp.eye(zeros.shape[1], dtype=zeros.dtype)
    value = jnp.full((), -jnp.inf, zeros.dtype)
    gradient = Gradient(zeros, zeros, along_B)
    return Evaluation(value, gradient, Curvature(ones, ones, Omega, zeros, zeros))


def try_step(problem: Problem, state: SolverState) -> SolverState:
    """Try a step, or less of the last one if that did not gain enough.

    The first leads to the start. One loop goes through steps and shorter trials, so that the
    evaluation is compiled once.
    """
    taken, begins = state.gains, state.iterations == 0

    def choose(new: T, old: T) -> T:
        return jax.tree.map(partial(jnp.where, taken), new, old)

    origin = choose(end_of(state), state.origin)
    before, value = choose((state.there.gradient, state.there.value), (state.before, state.value))
    move = choose(direction(state, problem.Q), state.move)
    shorter = jnp.where(state.step > SMALLEST_STEP, BACKTRACK * state.step, 0.0)
    step = jnp.where(taken, jnp.ones_like(shorter), shorter)
    tried = state._replace(origin=origin, before=before, value=value, move=move, step=step)
    there = evaluate(end_of(tried), problem)

    decrement = dot(move, before)
    rounding = 4 * jnp.finfo(value.dtype).eps * jnp.abs(value)
    # False for NaN too: a step that overflows, or into a singular Sigma, is taken back.
    rises = there.value >= value + SUFFICIENT_INCREASE * step * decrement - rounding
    # The start counts as a step, whatever it is worth.
    moved = begins | (rises & (step > 0))
    gained = jnp.where(begins, jnp.inf, decrement)
    decrements = jnp.roll(state.decrements, 1).at[0].set(gained)
    reached = jnp.where(moved, there.value, jnp.nan)
    return tried._replace(
        iterations=state.iterations + moved,
        there=there,
        gains=moved | (step == 0),
        slopes=jnp.stack([decrement, dot(move, there.gradient)]),
        decrements=jnp.where(moved, decrements, state.decrements),
        trace=state.trace.at[state.iterations].set(reached),
    )


def end_of(state: SolverState) -> Point:
    """Where the step leads. If the move is infinite, 0 times it is not 0."""
    step = state.step
    return jax.tree.map(lambda x, m: jnp.where(step > 0, x + step * m, x), state.origin, state.move)


def direction(state: SolverState, Q: Array) -> Point:
    """The two-loop recursion with one pair, around the preconditioner.

    The pair is `step` times the last move, and the change of gradient along it. A move along which
    the curvature is not positive is forgotten.
    """
    move, there = state.move, state.there
    curvature = state.slopes[0] - state.slopes[1]
    rho = jnp.where(curvature > 0, 1 / curvature, 0.0)
    alpha = rho * state.slopes[1]
    change = jax.tree.map(jnp.subtract, state.before, there.gradient)
    left = jax.tree.map(lambda g, y: g - alpha * y, there.gradient, change)
    new = precondition(left, there.curvature, Q)
    beta = rho * dot(new, change)
    return jax.tree.map(lambda n, m: n + m * (state.step * alpha - beta), new, move)


def dot(a: Point, b: Gradient) -> Array:
    return total(a.delta * b.delta + a.log_S * b.log_S)
