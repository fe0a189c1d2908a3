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


def profile_covariance(
    R: Array, S2: Array, weights: Array, total: Array, covariance: Covariance
) -> Profile:
    """Find the best Sigma, and apply its inverse.

    Args:
        R: residuals, (p, n).
        S2: variational variances, (p, n).
        weights: of the samples, (n,).
        total: their sum.
        covariance: its kind.
    """
    if covariance == "full":
        with jax.default_matmul_precision("highest"):
            Sigma = ((weights * R) @ R.T + jnp.diag(jnp.sum(weights * S2, axis=1))) / total
            Omega, log_det = invert_and_log_det(Sigma)
            return Profile(Omega @ R, jnp.diagonal(Omega), log_det)
    variances = jnp.sum(weights * (R**2 + S2), axis=1) / total
    if covariance == "spherical":
        variances = jnp.full_like(variances, jnp.mean(variances))
    return Profile(R / variances[:, None], 1 / variances, jnp.sum(jnp.log(variances)))


def count_parameters(p: int, covariance: Covariance) -> int:
    """Count the free parameters of a covariance of p taxa."""
    return {"full": p * (p + 1) // 2, "diagonal": p, "spherical": 1}[covariance]
