"""The covariance of the latent positions: full, diagonal, or spherical.

At its best for given means and deviations, with weights w of sum W and residuals R = M - X B, it is

    full        Sigma = sum_i w_i (R_i' R_i + diag(S_i^2)) / W
    diagonal    its diagonal: taxa are independent, given the covariates
    spherical   the mean of this diagonal times the identity: they also share one variance

Nothing of size p x p is made but for a full one.

References:
    Chiquet, Mariadassou, Robin (2021), The Poisson-lognormal model as a versatile framework for the
    joint analysis of species abundances, Frontiers in Ecology and Evolution 9, section 2.
"""

from typing import Literal, NamedTuple, TypeAlias, get_args

import jax
import jax.numpy as jnp
from jax import Array

from plnkit.linear import invert_and_log_det

Covariance: TypeAlias = Literal["full", "diagonal", "spherical"]
KINDS: tuple[Covariance, ...] = get_args(Covariance)


class Profile(NamedTuple):
    """What the ELBO needs of the best Sigma, in the solver's layout: taxa in rows.

    Attributes:
        pull: Omega R, (p, n).
        omega: diagonal of Omega, (p,).
        log_det: of Sigma, a scalar.
    """

    pull: Array
    omega: Array
    log_det: Array


def estimate_covariance(
    R: Array, S2: Array, weights: Array, total: Array, covariance: Covariance
) -> Array:
    """Find the best Sigma, (p, p); of one that is not full, the diagonal, (p,).

    Args:
        R: residuals, (p, n).
        S2: variational variances, (p, n).
        weights: of the samples, (n,).
        total: their sum.
        covariance: its kind.
    """
    if covariance == "full":
        with jax.default_matmul_precision("highest"):
            return ((weights * R) @ R.T + jnp.diag(jnp.sum(weights * S2, axis=1))) / total
    variances = jnp.sum(weights * (R**2 + S2), axis=1) / total
    if covariance == "diagonal":
        return variances
    return jnp.full_like(variances, jnp.mean(variances))


def profile_covariance(
    R: Array, S2: Array, weights: Array, total: Array, covariance: Covariance
) -> Profile:
    """Find the best Sigma as `estimate_covariance` does, and apply its inverse."""
    Sigma = estimate_covariance(R, S2, weights, total, covariance)
    if covariance != "full":
        return Profile(R / Sigma[:, None], 1 / Sigma, jnp.sum(jnp.log(Sigma)))
    Omega, log_det = invert_and_log_det(Sigma)
    with jax.default_matmul_precision("highest"):
        return Profile(Omega @ R, jnp.diagonal(Omega), log_det)


def count_parameters(p: int, covariance: Covariance) -> int:
    """Count the free parameters of a covariance of p taxa."""
    return {"full": p * (p + 1) // 2, "diagonal": p, "spherical": 1}[covariance]
