"""Standard errors of the coefficients: a sandwich, profiled over M and S.

Sample i adds J_i(B, Omega) to the ELBO, its own m and s at their best: the estimates are those of
an M-estimator. With the scores g_i of J_i and C = -sum_i of its Hessian, their covariance is
C^-1 (sum_i g_i g_i') C^-1, of which the block of B is given. The ELBO's Hessian in B alone, M and S
held, would give errors that are much too small; Omega held, those of an intercept (where most
counts are small, coverage of 90% instead of 95%).

C has as many rows as the model has parameters, and is never built: conjugate gradients multiply by
it. Variations of Omega are written as E = W F W', with W = L'^-1 for Sigma = L L': then the part
that complete data would give is a multiple of the identity.

References:
    Westling, McCormick (2019), Beyond prediction: a framework for inference with variational
    approximations in mixture models, Journal of Computational and Graphical Statistics 28(4),
    section 3.
    Batardière, Chiquet, Mariadassou (2024), Evaluating parameter uncertainty in the Poisson
    lognormal model with corrected variational estimators, preprint (Omega held).
"""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array
from jax.scipy.linalg import cho_factor, cho_solve, solve_triangular
from jax.scipy.sparse.linalg import cg
from jax.typing import ArrayLike

AT_ONCE = 32  # coefficients whose equations are solved together, each with arrays (p, p) and (n, p)
TOLERANCE = 1e-3  # of the residual, relative: three digits of the errors are right
MOST_STEPS = 500


class Direction(NamedTuple):
    """A variation of the parameters, of their scores, too: of B, (d, p), and of F, (p, p)."""

    B: Array
    F: Array


class Curvatures(NamedTuple):
    """What the Hessian of each J_i is made of, with A the expected counts and D = 2 + A S^4.

    Attributes:
        A: of eta alone, s at its best: 2 A / D, (n, p).
        mixed: of eta and Omega's diagonal: A S^4 / D, (n, p).
        spread: of Omega's diagonal: S^4 / D, (n, p).
        K: (Omega + diag(A_i))^-1, (n, p, p).
    """

    A: Array
    mixed: Array
    spread: Array
    K: Array


@jax.jit
def influence(
    Y: ArrayLike, O: ArrayLike, X: ArrayLike, B: ArrayLike, M: ArrayLike, S: ArrayLike
) -> Array:
    """What each sample moves each coefficient by, to first order, (d, p, n).

    The sum of squares over the samples is the coefficient's variance; products of two
    coefficients' give their covariance. Wants float64.

    Args:
        Y: counts, (n, p).
        O: offsets, (n, p).
        X: covariates, (n, d).
        B: coefficients, (d, p).
        M: whole latent mean, X B included, (n, p).
        S: latent standard deviation, (n, p).
    """
    Y, O, X, B, M, S = (jnp.asarray(a) for a in (Y, O, X, B, M, S))
    (n, p), d = Y.shape, X.shape[1]
    R = M - X @ B
    Sigma = (R.T @ R + jnp.diag(jnp.sum(S**2, axis=0))) / n
    A = jnp.exp(O + M + S**2 / 2)
    W = solve_triangular(jnp.linalg.cholesky(Sigma), jnp.eye(p), lower=True).T
    curvatures = _curvatures(A, S, W @ W.T)
    operator = partial(_multiply, X, R, W, curvatures)
    solve_known = _invert_known(X, curvatures)

    def of_one(unit: Array) -> Array:
        wanted = Direction(unit.reshape(d, p), jnp.zeros((p, p)))
        found, _ = cg(operator, wanted, M=solve_known, tol=TOLERANCE, maxiter=MOST_STEPS)
        E = W @ found.F @ W.T
        slope = jnp.sum((X @ found.B) * (Y - A), axis=1)
        expected = jnp.trace(found.F)  # tr(Sigma E)
        seen = jnp.sum((R @ E) * R, axis=1) + S**2 @ jnp.diagonal(E)
        return slope + (expected - seen) / 2

    of_each = jax.lax.map(of_one, jnp.eye(d * p), batch_size=AT_ONCE)
    return of_each.reshape(d, p, n)


def _curvatures(A: Array, S: Array, Omega: Array) -> Curvatures:
    D = 2 + A * S**4
    least = 2 * A / D
    K = jnp.linalg.inv(Omega + jnp.eye(len(Omega)) * least[:, None, :])
    return Curvatures(least, A * S**4 / D, S**4 / D, K)


def _multiply(
    X: Array, R: Array, W: Array, curvatures: Curvatures, direction: Direction
) -> Direction:
    """Multiply by C: minus the Hessian of sum_i J_i, with m_i and log s_i eliminated."""
    A, mixed, spread, K = curvatures
    eta = X @ direction.B
    E = W @ direction.F @ W.T
    e = jnp.diagonal(E)
    # m_i answers to both: K_i times this.
    moved = jnp.einsum("ijk,ik->ij", K, A * eta + R @ E - mixed * e)
    along_E = R.T @ moved
    diagonal = jnp.sum(mixed * (moved - eta) - spread * e, axis=0)
    gradient = jnp.diag(diagonal) - (along_E + along_E.T) / 2
    return Direction(
        X.T @ (A * eta - mixed * e - A * moved),
        len(X) / 2 * direction.F + W.T @ gradient @ W,
    )


def _invert_known(X: Array, curvatures: Curvatures):
    """The inverse were Omega known and complete: the conjugate gradients' preconditioner."""
    (n, d), p = X.shape, curvatures.A.shape[1]
    # A - A K A, an information of eta that is what is left when m_i is eliminated.
    A, K = curvatures.A, curvatures.K

    def add(total: Array, sample: tuple[Array, Array, Array]) -> tuple[Array, None]:
        x, a, k = sample
        return total + jnp.kron(jnp.outer(x, x), jnp.diag(a) - a[:, None] * k * a), None

    total, _ = jax.lax.scan(add, jnp.zeros((d * p, d * p)), (X, A, K))
    factor = cho_factor(total)

    def solve_known(direction: Direction) -> Direction:
        return Direction(
            cho_solve(factor, direction.B.ravel()).reshape(d, p), direction.F * (2 / n)
        )

    return solve_known
