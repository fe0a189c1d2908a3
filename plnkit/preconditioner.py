"""The solver's preconditioner: an approximate inverse of the ELBO's Hessian, sign changed.

The Hessian of the profiled ELBO is, nearly, a product with Omega beside 2 x 2 blocks: of each
entry's mean and log deviation. The blocks alone know that entries with large counts are a million
times stiffer than those with none. One step of the Chebyshev iteration around them adds Omega. What
neither knows is that moving all means of a taxon along the covariates costs nothing in Sigma: for
that there is, for each taxon, the d x d Hessian of its coefficients.

References:
    Saad (2003), Iterative methods for sparse linear systems, section 12.3 (Chebyshev iteration).
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from plnkit.linear import invert_each

LOWEST, HIGHEST = 0.15, 2.5
"""Between these, the blocks leave most of the Hessian's eigenvalues."""
SHARE = 0.5  # of the coefficients' own Newton step, beside the entries'
RIDGE = 1e-2  # in expected counts: a taxon that a covariate excludes has no curvature left there


class Point(NamedTuple):
    """Where the solver is: delta = O + M - log max(Y, 1), and log S, each (n, p)."""

    delta: Array
    log_S: Array


class Gradient(NamedTuple):
    """Of the ELBO in delta and log S, each (n, p), and in the coefficients, (d, p).

    The last follows from the first, Q' delta, but for R Omega's part, which is zero there and would
    leave rounding behind.
    """

    delta: Array
    log_S: Array
    B: Array


class Curvature(NamedTuple):
    """What the Hessian is made of: expected counts and S^2, each (n, p), and Omega (p, p)."""

    A: Array
    S2: Array
    Omega: Array


def precondition(vector: Gradient, curvature: Curvature, Q: Array) -> Point:
    """Multiply by the approximate inverse.

    Args:
        vector: like a gradient.
        curvature: at the point of this gradient.
        Q: orthonormal basis of the covariates, (n, d).
    """
    A, S2, Omega = curvature
    stiff = A + jnp.diagonal(Omega)
    both = A * S2
    deviation = S2 * (2 * stiff + both)
    determinant = stiff * deviation - both * both

    def solve_blocks(u: Array, v: Array) -> Point:
        return Point((deviation * u - both * v) / determinant, (stiff * v - both * u) / determinant)

    middle, radius = (HIGHEST + LOWEST) / 2, (HIGHEST - LOWEST) / 2
    rho = radius / middle
    next_rho = 1 / (2 / rho - rho)
    x, s = (part / middle for part in solve_blocks(vector.delta, vector.log_S))
    with jax.default_matmul_precision("highest"):
        product = A * x + x @ Omega + both * s
    left = solve_blocks(vector.delta - product, vector.log_S - (deviation * s + both * x))
    grown, scale = 1 + next_rho * rho, 2 * next_rho / radius
    x, s = grown * x + scale * left.delta, grown * s + scale * left.log_S
    if not Q.shape[1]:
        return Point(x, s)
    hessian = jnp.einsum("id,ij,ie->dej", Q, A, Q)
    ridge = RIDGE * jnp.eye(Q.shape[1], dtype=A.dtype)[:, :, None]
    shift = jnp.sum(invert_each(hessian + ridge) * vector.B, axis=1)
    return Point(x + SHARE * (Q @ shift), s)
