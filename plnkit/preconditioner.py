"""The solver's preconditioner: an approximate inverse of the ELBO's Hessian, sign changed.

The Hessian of the profiled ELBO is that of the Poisson part, with 2 x 2 blocks of each entry's mean
and log deviation, beside a product with Omega. Blocks with Omega's diagonal alone know that entries
with large counts are a million times stiffer than those with none. What they do not know is that
some directions cost nothing in Sigma. A taxon has d + 1 of these free directions. Its means may
move along the d covariates. And its residuals and deviations may be stretched by one factor, since
Sigma is stretched with them. There only the Poisson part is left, a (d + 1) x (d + 1) matrix for
each taxon. The balancing preconditioner solves these exactly, and leaves the rest to the blocks.

References:
    Mandel (1993), Balancing domain decomposition, Communications in Numerical Methods in
    Engineering 9.
    Tang, Nabben, Vuik, Erlangga (2009), Comparison of two-level preconditioners derived from
    deflation, domain decomposition and multigrid methods, Journal of Scientific Computing 39
    (BNN).
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from plnkit.linear import invert_each

RELAXATION = 1.4
"""Of the steps of the blocks, which are stiffer than the Hessian on the average. From 1.7 on, the
blocks' steps are too long, and it takes many more."""
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
    """What the Hessian is made of.

    Attributes:
        A: expected counts, (n, p); 0 in a row that only pads.
        S2: S^2, (n, p).
        Omega: (p, p).
        R: what of the means the covariates leave, (n, p).
        pull: R Omega, (n, p).
    """

    A: Array
    S2: Array
    Omega: Array
    R: Array
    pull: Array


def precondition(vector: Gradient, curvature: Curvature, Q: Array) -> Point:
    """Multiply by the approximate inverse.

    Args:
        vector: like a gradient.
        curvature: at the point of this gradient.
        Q: orthonormal basis of the covariates, (n, d).
    """
    A, S2, Omega, R, pull = curvature
    d = Q.shape[1]
    both, along = A * S2, R + S2
    stiff = A + jnp.diagonal(Omega)
    deviation = S2 * (2 * stiff + both)
    determinant = (stiff * deviation - both * both) / RELAXATION

    ridge = RIDGE * jnp.eye(d + 1, dtype=A.dtype)[:, :, None]
    inverse = invert_each(free_hessian(curvature, Q) + ridge)
    stretch = jnp.sum(R * vector.delta + vector.log_S, axis=0)
    free = jnp.sum(inverse * jnp.concatenate([vector.B, stretch[None]]), axis=1)
    # The vector, less the Hessian times the step along the free directions.
    grown = Q @ free[:d] + along * free[d]
    u = vector.delta - A * grown + pull * free[d]
    v = vector.log_S - both * (grown + 2 * free[d])
    step = Point((deviation * u - both * v) / determinant, (stiff * v - both * u) / determinant)
    # The free directions times the Hessian times the rest of the step.
    growth = A * step.delta + both * step.log_S
    with jax.default_matmul_precision("highest"):
        shifted = Q.T @ growth
    stretched = jnp.sum(growth * along + 2 * both * step.log_S - pull * step.delta, axis=0)
    free -= jnp.sum(inverse * jnp.concatenate([shifted, stretched[None]]), axis=1)
    return Point(step.delta + Q @ free[:d] + R * free[d], step.log_S + free[d])


def free_hessian(curvature: Curvature, Q: Array) -> Array:
    """The Hessian among each taxon's free directions, (d + 1, d + 1, p).

    It is what it would be if every log S were at its optimum: then it is positive definite.
    """
    A, S2, _, R, _ = curvature
    along = R + S2
    with jax.default_matmul_precision("highest"):
        shifts = jnp.einsum("id,ij,ie->dej", Q, A, Q)
        mixed = (Q.T @ (A * along))[None]
    stretch = jnp.sum(A * (along * along + S2), axis=0)[None, None]
    above = jnp.concatenate([shifts, mixed.swapaxes(0, 1)], axis=1)
    return jnp.concatenate([above, jnp.concatenate([mixed, stretch], axis=1)])
