"""The solver's preconditioner: an approximate inverse of the ELBO's Hessian, sign changed.

The Hessian of the profiled ELBO is that of the Poisson part, beside a product with Omega. Its
diagonal knows that entries with large counts are a million times stiffer than those with none. What
it does not know is that some directions cost nothing in Sigma. A taxon has d + 1 of these free
directions. Its means may move along the d covariates. And its residuals and deviations may be
stretched by one factor, since Sigma is stretched with them. There only the Poisson part is left, a
(d + 1) x (d + 1) matrix for each taxon. The preconditioner is the sum of two inverses: that of the
diagonal, and that of this matrix along the free directions. Their overlap costs no more steps than
balancing would save, which goes over the data twice as often in each.

References:
    Tang, Nabben, Vuik, Erlangga (2009), Comparison of two-level preconditioners derived from
    deflation, domain decomposition and multigrid methods, Journal of Scientific Computing 39
    (AD, the additive coarse correction; BNN is the balancing one).
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from plnkit.covariance import Covariance
from plnkit.linear import solve_each

RELAXATION = 1.4
"""Of the diagonal's steps: it is stiffer than the Hessian on the average. At 1.6 the steps are too
long, and it takes more of them; so it does at 1.2."""
RIDGE = 1e-2  # in expected counts: a taxon that a covariate excludes has no curvature left there


class Point(NamedTuple):
    """Where the solver is: delta = O + M - log max(Y, 1), and log S, each (p, n)."""

    delta: Array
    log_S: Array


class Gradient(NamedTuple):
    """Of the ELBO in delta and log S, each (p, n), and in the coefficients, (p, d).

    The last follows from the first, delta Q', but for Omega R's part, which is zero there and would
    leave rounding behind.
    """

    delta: Array
    log_S: Array
    B: Array


class Curvature(NamedTuple):
    """What the Hessian is made of.

    Attributes:
        A: expected counts times weights, (p, n).
        S2: S^2, (p, n).
        omega: diagonal of Omega, (p,).
        R: what of the means the covariates leave, (p, n); 0 in a sample without weight.
    """

    A: Array
    S2: Array
    omega: Array
    R: Array


def keep_weighted(values: Array, weights: Array) -> Array:
    """The values of the samples with a weight, and 0 for the others, (..., n)."""
    return jnp.where(weights > 0, values, 0.0)


def precondition(
    vector: Gradient, curvature: Curvature, Q: Array, weights: Array, covariance: Covariance
) -> Point:
    """Multiply by the approximate inverse.

    Args:
        vector: like a gradient.
        curvature: at the point of this gradient.
        Q: basis of the covariates, (d, n): Q diag(weights) Q' is the identity.
        weights: of the samples, (n,).
        covariance: its kind.
    """
    A, S2, omega, R = curvature
    stiff = A + omega[:, None] * jnp.where(weights > 0, weights, 1.0)
    deviation = S2 * (2 * stiff + A * S2)
    ridge = RIDGE * jnp.eye(len(Q) + 1, dtype=A.dtype)[:, :, None]
    hessian = free_hessian(curvature, Q) + ridge
    stretch = jnp.sum(R * vector.delta + vector.log_S, axis=1)
    if covariance == "spherical":
        # Taxa share one variance, so that only to stretch all of them by one factor costs nothing.
        shift = solve_each(hessian[:-1, :-1], vector.B.T).T
        factor = jnp.sum(stretch) / jnp.sum(hessian[-1, -1])
    else:
        free = solve_each(hessian, jnp.concatenate([vector.B.T, stretch[None]]))
        shift, factor = free[:-1].T, free[-1][:, None]
    return Point(
        RELAXATION * vector.delta / stiff + shift @ Q + R * factor,
        RELAXATION * vector.log_S / deviation + keep_weighted(factor, weights),
    )


def free_hessian(curvature: Curvature, Q: Array) -> Array:
    """The Hessian among each taxon's free directions, (d + 1, d + 1, p).

    It is what it would be if every log S were at its optimum: then it is positive definite.
    """
    A, S2, _, R = curvature
    along = R + S2
    with jax.default_matmul_precision("highest"):
        shifts = jnp.einsum("di,ji,ei->dej", Q, A, Q)
        mixed = ((A * along) @ Q.T).T[None]
    stretch = jnp.sum(A * (along * along + S2), axis=1)[None, None]
    above = jnp.concatenate([shifts, mixed.swapaxes(0, 1)], axis=1)
    return jnp.concatenate([above, jnp.concatenate([mixed, stretch], axis=1)])
