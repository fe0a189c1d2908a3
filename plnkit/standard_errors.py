"""Standard errors of the coefficients: a sandwich, profiled over M and S.

Sample i adds J_i(B, Omega) to the ELBO, its own m and s at their best: the estimates are those of
an M-estimator. With the scores g_i of J_i and C = -sum_i of its Hessian, their covariance is
C^-1 (sum_i g_i g_i') C^-1, of which the block of B is given. The ELBO's Hessian in B alone, M and S
held, would give errors that are much too small; Omega held, those of an intercept (where most
counts are small, coverage of 90% instead of 95%).

C has as many rows as the model has parameters, and is never built: conjugate gradients multiply by
it, for a block of coefficients at once. Its preconditioner is C's block of B, beside what complete
data would give for a variation E of Omega, n/2 Sigma E Sigma. Iterations stop by the residual in
the norm of its inverse: in standard errors, whatever the units. B is on an orthonormal basis of the
covariates, so that theirs play no part.

What is kept, and how many coefficients are solved for at a time, follows from a budget of memory.
An inverse of a matrix (p, p) belongs to each sample. Where they do not all fit, these matrices are
factorized again in each iteration, for as many coefficients at once as there is room for.

References:
    Westling, McCormick (2019), Beyond prediction: a framework for inference with variational
    approximations in mixture models, Journal of Computational and Graphical Statistics 28(4),
    section 3.
    Batardière, Chiquet, Mariadassou (2024), Evaluating parameter uncertainty in the Poisson
    lognormal model with corrected variational estimators, preprint (Omega held).
    Golub, Van Loan (2013), Matrix Computations, 4th edition, section 11.5 (preconditioned conjugate
    gradients).
"""

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.scipy.linalg import cho_factor, cho_solve
from numpy.typing import NDArray

from plnkit.problems import ConvergenceWarning, warn

MEMORY = 2**30
"""Bytes that a computation may take, by default: 1 GiB."""
TOLERANCE = 1e-3  # of the residual, relative: three digits of the errors are right
MOST_STEPS = 1000
MOST_SAMPLES = 64  # at a time
FEWEST = 8  # coefficients at a time: with fewer, nearly all time would go into factorizations
AT_ONCE = 32  # coefficients at a time if nothing is factorized again: all wait for the slowest
RIDGE = 1e-12  # of B's block, relative: where a covariate excludes a taxon, nothing else is there


class Direction(NamedTuple):
    """Variations of the parameters, r of them, or gradients.

    Attributes:
        B: of the coefficients on the basis, (d, p, r).
        E: of Omega, (p, p, r).
    """

    B: Array
    E: Array


class Samples(NamedTuple):
    """What the Hessian of each J_i is made of, with A the expected counts and D = 2 + A S^4.

    In groups of c samples, with zeros in the last: (groups, c, ...).

    Attributes:
        Q: the basis' rows, (..., d).
        R: M less its regression, (..., p).
        surplus: Y - A, (..., p).
        S2: S^2, (..., p).
        a: of eta alone, s at its best: 2 A / D, (..., p).
        mixed: of eta and Omega's diagonal: A S^4 / D, (..., p).
        spread: of Omega's diagonal: S^4 / D, (..., p).
        K: (Omega + diag(a_i))^-1, (..., p, p), where there is room for them.
    """

    Q: Array
    R: Array
    surplus: Array
    S2: Array
    a: Array
    mixed: Array
    spread: Array
    K: Array | None = None


class Equations(NamedTuple):
    """The equations: n samples, Sigma, Omega (p, p), and C's block of B (d p, d p), factorized."""

    samples: Samples
    n: Array
    Sigma: Array
    Omega: Array
    factor: Array


class Plan(NamedTuple):
    """How a budget of memory is spent.

    Attributes:
        coefficients: solved for at a time.
        samples: gone through at a time.
        keep: whether the inverses of all samples are kept.
    """

    coefficients: int
    samples: int
    keep: bool


class Fitted(NamedTuple):
    """What is known of a fit, and which of its coefficients are asked for.

    Attributes:
        Y: counts, (n, p).
        O: offsets, (n, p).
        Q: orthonormal basis of the covariates, (n, d).
        M: whole latent mean, X B included, (n, p).
        S: latent standard deviation, (n, p).
        change: coefficients on the covariates are `change` times those on Q, (d, d).
        wanted: of which coefficients, (d, p) bool; the others' results are NaN.
    """

    Y: NDArray
    O: NDArray
    Q: NDArray
    M: NDArray
    S: NDArray
    change: NDArray
    wanted: NDArray


def influence(fitted: Fitted, memory: int = MEMORY) -> NDArray[np.float64]:
    """What each sample moves each coefficient by, to first order, (d, p, n) float64.

    The sum of squares over the samples is the coefficient's variance; products of two
    coefficients' give their covariance. All is computed in float64.

    Args:
        fitted: the fit.
        memory: bytes that may be used, beside the result; more of them is faster, up to a point.

    Raises:
        MemoryError: the budget is too small for these data. Nothing was computed.

    Warns:
        ConvergenceWarning: equations were not solved to the tolerance.
    """
    found = np.full((*fitted.wanted.shape, len(fitted.Y)), np.nan)
    for k, j, moves in _solve_in_blocks(fitted, memory):
        found[k, j] = moves
    return found


def standard_errors(fitted: Fitted, memory: int = MEMORY) -> NDArray[np.float64]:
    """Standard errors of the coefficients, (d, p) float64, without keeping `influence`.

    Arguments, errors and warnings are the same.
    """
    errors = np.full(fitted.wanted.shape, np.nan)
    for k, j, moves in _solve_in_blocks(fitted, memory):
        errors[k, j] = np.sqrt((moves**2).sum(axis=1))
    return errors


def plan(n: int, p: int, d: int, memory: int) -> Plan:
    """Divide a budget of memory.

    Args:
        n, p, d: how many samples, taxa and covariates.
        memory: bytes.

    Raises:
        MemoryError: it is too small, with what is needed.
    """
    # Upper bounds of what XLA allocates, float64: by its own account, 0.75 of the budget at most.
    number = 8  # bytes
    matrix, fewest = number * p**2, min(FEWEST, d * p)
    data = number * (16 * n * p + 3 * (d * p) ** 2) + 4 * matrix

    def of_coefficient(c: int) -> int:
        return number * (6 * d * p + 5 * c * p + 2 * n) + 10 * matrix

    least = data + 3 * matrix + fewest * of_coefficient(1)
    if least > memory:
        raise MemoryError(
            f"standard errors of {d * p} coefficients ({n} samples, {p} taxa, {d} "
            f"covariate{'s' * (d != 1)}) need {_gibibytes(least)} of memory, and the budget is "
            f"{_gibibytes(memory)}. Where there is more, give it: "
            f"fit.coefficient_table(memory={-(-least // 2**30)} * 2**30). Or fit fewer taxa."
        )
    keep = least + n * matrix <= memory
    left = memory - data - keep * n * matrix
    most = min(d * p, AT_ONCE) if keep else d * p
    # Of the rest, up to a quarter for matrices of samples: coefficients are to be many.
    c = min(MOST_SAMPLES, n, max(1, left // (4 * 3 * matrix)))
    while c > 1 and 3 * c * matrix + fewest * of_coefficient(c) > left:
        c //= 2
    r = (left - 3 * c * matrix) // of_coefficient(c)
    return Plan(int(min(most, max(1, r))), int(c), keep)


def _gibibytes(size: int) -> str:
    return f"{size / 2**30:.1f} GiB" if size >= 2**30 / 10 else f"{size / 2**20:.1f} MiB"


def _solve_in_blocks(fitted: Fitted, memory: int) -> Iterator[tuple[NDArray, NDArray, NDArray]]:
    """Yield the influence of all samples on some coefficients at a time.

    Yields:
        Covariates and taxa of the coefficients, (r,) each, and what samples move them by, (r, n).
    """
    Y, O, Q, M, S, change, wanted = fitted
    (n, p), d = Y.shape, Q.shape[1]
    if d == 0:
        return
    at_once, group, keep = plan(n, p, d, memory)
    # Rare taxa take the most iterations: with their like, they hold up no others.
    taxa = np.argsort(np.sum(Y, axis=0))
    j, k = np.nonzero(wanted.T[taxa])
    j, unsolved = taxa[j], 0
    with jax.enable_x64(True):
        arrays = (np.asarray(a, np.float64) for a in (Y, O, Q, M, S))
        equations = _prepare(*arrays, group, keep)
        for first in range(0, len(j), at_once):
            some = slice(first, first + at_once)
            size = len(j[some])
            # Zeros in the last block: a program for another number would have to be compiled.
            right = np.zeros((d, p, at_once))
            right[:, j[some], range(size)] = change[k[some]].T
            moves, solved = _influence_on(equations, right)
            unsolved += size - int(solved[:size].sum())
            yield k[some], j[some], np.asarray(moves)[:size, :n]
    if unsolved:
        warn(
            f"the standard errors of {unsolved} of {len(j)} coefficients are not accurate: their "
            f"equations were not solved in {MOST_STEPS} iterations.",
            ConvergenceWarning,
        )


@partial(jax.jit, static_argnames=("group", "keep"))
def _prepare(Y: Array, O: Array, Q: Array, M: Array, S: Array, group: int, keep: bool) -> Equations:
    """Collect what the equations are made of, with so many samples in a group."""
    (n, p), d = Y.shape, Q.shape[1]
    R, S2 = M - Q @ (Q.T @ M), S**2
    Sigma = (R.T @ R + jnp.diag(jnp.sum(S2, axis=0))) / n
    Omega = cho_solve(cho_factor(Sigma), jnp.eye(p))
    A = jnp.exp(O + M + S2 / 2)
    D = 2 + A * S2**2
    arrays = Q, R, Y - A, S2, 2 * A / D, A * S2**2 / D, S2**2 / D
    samples = Samples(*(_in_groups(a, group) for a in arrays))

    def add(total: Array, some: Samples) -> tuple[Array, Array | None]:
        factors = _factorize(Omega, some.a)
        K = cho_solve((factors, True), jnp.broadcast_to(jnp.eye(p), factors.shape))
        # An information of eta that is what is left when m_i is eliminated.
        T = jnp.eye(p) * some.a[:, None] - some.a[:, :, None] * K * some.a[:, None]
        products = some.Q[:, :, None] * some.Q[:, None]
        return total + jnp.einsum("ckl,cij->klij", products, T), K if keep else None

    total, K = jax.lax.scan(add, jnp.zeros((d, d, p, p)), samples)
    block = total.transpose(0, 2, 1, 3).reshape(d * p, d * p)
    factor = jnp.linalg.cholesky(block + RIDGE * jnp.diag(jnp.diagonal(block)))
    return Equations(samples._replace(K=K), jnp.asarray(n, Y.dtype), Sigma, Omega, factor)


def _in_groups(a: Array, size: int) -> Array:
    padded = jnp.pad(a, ((0, -len(a) % size), (0, 0)))
    return padded.reshape(-1, size, a.shape[1])


def _factorize(Omega: Array, a: Array) -> Array:
    """Lower Cholesky factors of Omega + diag(a_i), (c, p, p)."""
    return jnp.linalg.cholesky(Omega + jnp.eye(len(Omega)) * a[:, None])


@jax.jit
def _influence_on(equations: Equations, right: Array) -> tuple[Array, Array]:
    """What samples move r combinations of the coefficients by, (r, n), and which are solved, (r,).

    Args:
        right: the combinations, (d, p, r).
    """
    (B, E), solved = _solve(equations, right)
    expected = jnp.einsum("ij,ijr->r", equations.Sigma, E)
    diagonal = jnp.einsum("jjr->jr", E)

    def of_group(some: Samples) -> Array:
        slope = jnp.einsum("cp,cpr->cr", some.surplus, _dot(some.Q, B))
        seen = jnp.einsum("cp,cpr->cr", some.R, _dot(some.R, E)) + some.S2 @ diagonal
        return slope + (expected - seen) / 2

    moves = jax.lax.map(of_group, equations.samples)
    return moves.reshape(-1, right.shape[2]).T, solved


class _Iterate(NamedTuple):
    solution: Direction
    residual: Direction
    step: Direction
    image: Array  # the preconditioner's part of Omega times the step
    size: Array  # <residual, inverse of the preconditioner times residual>, (r,)
    iterations: Array


def _solve(equations: Equations, right: Array) -> tuple[Direction, Array]:
    """Conjugate gradients: C times the solution is `right` in B, and zero in Omega."""
    p, r = right.shape[1:]
    zeros = Direction(jnp.zeros_like(right), jnp.zeros((p, p, r)))
    residual = zeros._replace(B=right)
    step = _precondition(equations, residual)
    size = _inner(residual, step)
    enough = TOLERANCE**2 * size

    def goes_on(state: _Iterate) -> Array:
        return jnp.any(state.size > enough) & (state.iterations < MOST_STEPS)

    def iterate(state: _Iterate) -> _Iterate:
        active = state.size > enough
        product = _multiply(equations, state.step)
        product = product._replace(E=product.E + state.image)
        length = jnp.where(active, state.size / _inner(state.step, product), 0.0)
        solution = jax.tree.map(lambda x, s: x + length * s, state.solution, state.step)
        residual = jax.tree.map(lambda x, s: x - length * s, state.residual, product)
        better = _precondition(equations, residual)
        size = _inner(residual, better)
        turn = jnp.where(active, size / state.size, 0.0)
        step = jax.tree.map(lambda b, s: b + turn * s, better, state.step)
        image = residual.E + turn * state.image
        return _Iterate(solution, residual, step, image, size, state.iterations + 1)

    first = _Iterate(zeros, residual, step, zeros.E, size, jnp.int32(0))
    last = jax.lax.while_loop(goes_on, iterate, first)
    return last.solution, last.size <= enough


def _inner(one: Direction, other: Direction) -> Array:
    return jnp.sum(one.B * other.B, axis=(0, 1)) + jnp.sum(one.E * other.E, axis=(0, 1))


def _dot(rows: Array, matrices: Array) -> Array:
    """Rows (c, m) times matrices (m, p, r), (c, p, r)."""
    return jnp.tensordot(rows, matrices, 1)


def _precondition(equations: Equations, gradient: Direction) -> Direction:
    """C's inverse were there no terms of both B and Omega, and Omega's those of complete data."""
    d, p, r = gradient.B.shape
    B = cho_solve((equations.factor, True), gradient.B.reshape(d * p, r))
    # Gradients are symmetric: to multiply from the right is to multiply the transpose.
    half = jnp.swapaxes(_dot(equations.Omega, gradient.E), 0, 1)
    return Direction(B.reshape(d, p, r), 2 / equations.n * _dot(equations.Omega, half))


def _multiply(equations: Equations, direction: Direction) -> Direction:
    """Multiply by C, m_i and log s_i eliminated; in Omega, less n/2 Sigma E Sigma."""
    B, E = direction
    e = jnp.einsum("jjr->jr", E)

    def add(total: tuple[Array, Array, Array], some: Samples) -> tuple[Any, None]:
        a, mixed, spread = (x[:, :, None] for x in (some.a, some.mixed, some.spread))
        eta = _dot(some.Q, B)
        pull = a * eta + _dot(some.R, E) - mixed * e  # on m_i, (c, p, r)
        if some.K is None:
            answer = cho_solve((_factorize(equations.Omega, some.a), True), pull)
        else:
            answer = some.K @ pull
        along_B, along_E, diagonal = total
        along_B += _dot(some.Q.T, a * (eta - answer) - mixed * e)
        along_E += _dot(some.R.T, answer)
        diagonal += jnp.sum(mixed * (answer - eta) - spread * e, axis=0)
        return (along_B, along_E, diagonal), None

    zeros = jnp.zeros_like(B), jnp.zeros_like(E), jnp.zeros_like(e)
    (along_B, along_E, diagonal), _ = jax.lax.scan(add, zeros, equations.samples)
    along_E = -(along_E + jnp.swapaxes(along_E, 0, 1)) / 2
    j = jnp.arange(len(e))
    return Direction(along_B, along_E.at[j, j].add(diagonal))
