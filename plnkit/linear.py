"""Linear algebra of the solver: small and middling inverses as products, which CPUs and GPUs are
fast at."""

import jax
import jax.numpy as jnp
from jax import Array
from jax.scipy.linalg import solve_triangular

HALVED = 32
"""Rows of a triangular matrix that is not halved any more. With 64, OpenBLAS starts threads, which
hold up XLA's: a fit of the oaks x10 takes twice as long."""


def written_transpose(A: Array) -> Array:
    """A', written to memory: XLA's CPU multiplies by it five times as fast as by a view of A."""
    return jax.lax.optimization_barrier(A.T)


def invert_lower(L: Array) -> Array:
    """The inverse of a lower triangular matrix (p, p), by halves.

    Products take the place of one large triangular solve.
    """
    p = L.shape[0]
    if p <= HALVED:
        return solve_triangular(L, jnp.eye(p, dtype=L.dtype), lower=True)
    half = p // 2
    first, last = invert_lower(L[:half, :half]), invert_lower(L[half:, half:])
    corner = -last @ (L[half:, :half] @ first)
    return jnp.block([[first, jnp.zeros((half, p - half), L.dtype)], [corner, last]])


def invert_and_log_det(A: Array) -> tuple[Array, Array]:
    """The inverse of a positive definite matrix (p, p), and the logarithm of its determinant."""
    L = jnp.linalg.cholesky(A)
    with jax.default_matmul_precision("highest"):
        inverse = invert_lower(L)
        return written_transpose(inverse) @ inverse, 2 * jnp.sum(jnp.log(jnp.diagonal(L)))


def invert_each(H: Array) -> Array:
    """The inverses of p positive definite matrices, (d, d, p), for a small d.

    Gauss and Jordan's elimination, which needs no pivots here, on whole rows of p numbers.
    """
    d = H.shape[0]
    rows = [jnp.concatenate([H[i], _unit(d, i, H)]) for i in range(d)]  # (2 d, p) each
    for column in range(d):
        rows[column] = rows[column] / rows[column][column]
        for i in range(d):
            if i != column:
                rows[i] = rows[i] - rows[i][column] * rows[column]
    return jnp.stack([row[d:] for row in rows])


def _unit(d: int, i: int, like: Array) -> Array:
    """The i-th row of the identity, for each of the p matrices."""
    return jnp.zeros((d, like.shape[2]), like.dtype).at[i].set(1.0)
