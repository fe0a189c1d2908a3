"""The Poisson-lognormal (PLN) model and its variational lower bound (ELBO).

    Z_i ~ N(X_i B, Sigma)           latent position of sample i, (p,)
    Y_ij ~ Poisson(exp(O_ij + Z_ij))

With q(Z_ij) = N(X_i B + M_ij, S_ij^2), the ELBO in nats is

    n/2 log det Omega - 1/2 tr((M'M + diag(sum_i S_i^2)) Omega) + n p / 2
    + sum_ij [Y_ij eta_ij - exp(eta_ij + S_ij^2 / 2) + log S_ij - log Y_ij!],  eta = O + X B + M

with Omega = Sigma^-1. Every function is pure; arrays are float32 or float64, n samples, p taxa, d
covariates. S is kept as its logarithm, so that it is positive whatever step an optimizer takes.

References:
    Chiquet, Mariadassou, Robin (2018), Variational inference for probabilistic Poisson PCA, The
    Annals of Applied Statistics 12(4), section 3.
    Chiquet, Mariadassou, Robin (2021), The Poisson-lognormal model as a versatile framework for the
    joint analysis of species abundances, Frontiers in Ecology and Evolution 9, section 2.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array
from jax.scipy.linalg import solve_triangular
from jax.scipy.special import gammaln, xlogy
from jax.typing import ArrayLike

from plnkit.covariance import Covariance, estimate_covariance


class Parameters(NamedTuple):
    """All parameters, free: M is what is left of the latent mean beside X B.

    Attributes:
        B: coefficients, (d, p).
        M: variational mean less X B, (n, p).
        log_S: log of the variational standard deviation, (n, p).
        Omega: precision, (p, p), symmetric positive definite.
    """

    B: Array
    M: Array
    log_S: Array
    Omega: Array


class Latent(NamedTuple):
    """The variational parameters alone; B and Sigma follow from them in closed form.

    Attributes:
        M: the whole variational mean, X B included, (n, p).
        log_S: log of the variational standard deviation, (n, p).
    """

    M: Array
    log_S: Array


def start(Y: ArrayLike, X: ArrayLike) -> Parameters:
    """The tutorial's start: B = 0, M = 0, S = 1, Omega = I."""
    (n, p), d = jnp.shape(Y), jnp.shape(X)[1]
    dtype = jnp.result_type(float)
    return Parameters(
        B=jnp.zeros((d, p), dtype),
        M=jnp.zeros((n, p), dtype),
        log_S=jnp.zeros((n, p), dtype),
        Omega=jnp.eye(p, dtype=dtype),
    )


def log_factorials(Y: ArrayLike) -> Array:
    """Sum of log Y!, exact."""
    return jnp.sum(gammaln(jnp.asarray(Y) + 1.0))


def stirling_log_factorials(Y: ArrayLike) -> Array:
    """Sum of log Y! by Stirling's formula, as the tutorial and pyPLNmodels have it.

    It gives -0.081 for 0! and 1!, which makes an ELBO too large by a constant (570 nats on oaks).
    """
    Z = jnp.maximum(jnp.asarray(Y), 1.0)
    return jnp.sum(0.5 * jnp.log(2 * jnp.pi * Z)) + jnp.sum(xlogy(Z, Z) - Z)


def elbo(
    parameters: Parameters,
    Y: ArrayLike,
    O: ArrayLike,
    X: ArrayLike,
    log_factorial: ArrayLike | None = None,
    log_det: ArrayLike | None = None,
) -> Array:
    """The ELBO at any parameters, in nats, as a scalar.

    Args:
        log_factorial: the sum of log Y!, which no parameter enters: pass it where the ELBO is
            computed again and again, or to have Stirling's. Exact when None.
        log_det: log det Omega where it is known already (`precision` gives it), which saves a
            factorization; nothing flows back through it. Computed when None.
    """
    B, M, log_S, Omega = parameters
    Y = jnp.asarray(Y)
    n, p = Y.shape
    if log_factorial is None:
        log_factorial = log_factorials(Y)
    with jax.default_matmul_precision("highest"):  # a GPU would multiply in TF32, 10 bits
        eta = O + jnp.asarray(X) @ B + M
    S2 = jnp.exp(2 * log_S)
    if log_det is None:
        log_det = 2 * jnp.sum(jnp.log(jnp.diagonal(jnp.linalg.cholesky(Omega))))
    entries = total(Y * eta - jnp.exp(eta + S2 / 2) + log_S)
    constant = 0.5 * n * (p + log_det) - log_factorial
    return entries - trace(M, jnp.sum(S2, axis=0), Omega) / 2 + constant


def total(entries: Array) -> Array:
    """Sum of an (n, p) array, down the columns first: faster on CPU, and closer in float32."""
    # The barrier keeps XLA from merging the two sums into a long one.
    return jnp.sum(jax.lax.optimization_barrier(jnp.sum(entries, axis=0)))


@jax.custom_jvp
def trace(M: Array, D: Array, Omega: Array) -> Array:
    """tr((M'M + diag(D)) Omega) of M (n, p), D (p,) and a symmetric Omega (p, p), as a scalar."""
    with jax.default_matmul_precision("highest"):
        return jnp.sum(jnp.sum((M @ Omega) * M, axis=0) + D * jnp.diagonal(Omega))


@trace.defjvp
def _trace_jvp(primals, tangents):
    # The gradient in M is 2 M Omega, and M Omega is at hand. JAX, which does not know that Omega is
    # symmetric, would multiply a second time for M Omega', a third of a fit's work.
    (M, D, Omega), (dM, dD, dOmega) = primals, tangents
    with jax.default_matmul_precision("highest"):
        slope = 2 * jnp.sum((M @ Omega) * dM) + jnp.sum(dD * jnp.diagonal(Omega))
    return trace(M, D, Omega), slope + trace(M, D, dOmega)


def covariance(M: Array, log_S: Array) -> Array:
    """The Sigma that maximises the ELBO: (M'M + diag(sum_i S_i^2)) / n, for M without X B."""
    with jax.default_matmul_precision("highest"):
        return (M.T @ M + jnp.diag(jnp.sum(jnp.exp(2 * log_S), axis=0))) / M.shape[0]


def precision(Sigma: Array) -> tuple[Array, Array]:
    """Omega = Sigma^-1, (p, p), and log det Omega, both of one Cholesky factor."""
    L = jnp.linalg.cholesky(Sigma)
    inverse = solve_triangular(L, jnp.eye(Sigma.shape[0], dtype=Sigma.dtype), lower=True)
    with jax.default_matmul_precision("highest"):
        return inverse.T @ inverse, -2 * jnp.sum(jnp.log(jnp.diagonal(L)))


def coefficients(M: Array, X: ArrayLike) -> Array:
    """The B that maximises the ELBO: least squares of the whole latent mean M on X, (d, p)."""
    X = jnp.asarray(X)
    with jax.default_matmul_precision("highest"):
        # QR rather than the normal equations: X'X has the square of X's condition number.
        Q, R = jnp.linalg.qr(X)
        return solve_triangular(R, Q.T @ M)


def profile(latent: Latent, X: ArrayLike) -> Parameters:
    """The parameters with B and Omega at their best for these variational parameters."""
    B = coefficients(latent.M, X)
    with jax.default_matmul_precision("highest"):
        M = latent.M - jnp.asarray(X) @ B
    Omega, _ = precision(covariance(M, latent.log_S))
    return Parameters(B, M, latent.log_S, Omega)


def profiled_elbo(
    latent: Latent,
    Y: ArrayLike,
    O: ArrayLike,
    X: ArrayLike,
    log_factorial: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    covariance: Covariance = "full",
) -> Array:
    """The ELBO with B and Sigma at their best, in nats: `elbo(profile(latent, X), Y, O, X)`.

    There the trace term is n p / 2, which leaves -n/2 log det Sigma and the sum over entries.

    Args:
        log_factorial: the sum of log Y!, weighted where samples are; exact when None.
        weights: of the samples, (n,), 1 when None: each counts so many times.
        covariance: "full", "diagonal" or "spherical", see `plnkit.covariance`.
    """
    Y, X = jnp.asarray(Y), jnp.asarray(X)
    M, log_S = latent
    w = jnp.ones(len(Y), M.dtype) if weights is None else jnp.asarray(weights)
    column, root = w[:, None], jnp.sqrt(w)[:, None]
    if log_factorial is None:
        log_factorial = jnp.sum(column * gammaln(Y + 1.0))
    S2 = jnp.exp(2 * log_S)
    with jax.default_matmul_precision("highest"):
        residual = M - X @ coefficients(root * M, root * X)
    n = jnp.sum(w)
    Sigma = estimate_covariance(residual.T, S2.T, w, n, covariance)
    if covariance == "full":
        half_log_det = jnp.sum(jnp.log(jnp.diagonal(jnp.linalg.cholesky(Sigma))))
    else:
        half_log_det = jnp.sum(jnp.log(Sigma)) / 2
    eta = O + M
    entries = total(column * (Y * eta - jnp.exp(eta + S2 / 2) + log_S))
    return entries - n * half_log_det - log_factorial
