"""Linear algebra of the solver: small and middling inverses as products, which CPUs and GPUs are
fast at."""

import jax
import jax.numpy as jnp
from jax import Array
from jax.scipy.linalg import solve_triangular

HALVED = 32
"""Rows of a triangular matrix that is not halved any more. With 64, OpenBLAS starts threads, which
hold up XLA's: a fit of the oaks x10 takes twice as long."""
UNROLLED = 4
"""Columns that a step of the loop eliminates. So many or fewer take no loop, which takes five
times as long at two columns. More at a time only take longer to compile."""


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


def solve_each(H: Array, b: Array) -> Array:
    """Solve p systems of d equations with positive definite matrices, for a small d.

    Gauss and Jordan's elimination, which needs no pivots here, on whole rows of p numbers. LAPACK
    would take a call for each of the p: at d = 2 it takes forty times as long, at d = 20 as long.

    Args:
        H: the matrices, (d, d, p), symmetric positive definite.
        b: the right-hand sides, (d, p).

    Returns:
        The solutions, (d, p).

    References:
        Golub, Van Loan (2013), Matrix Computations, 4th edition, sections 3.2 and 4.2.
    """

    def eliminate(column: Array, rows: Array) -> Array:
        pivot = rows[column] / rows[column, column]
        return (rows - rows[:, column, None] * pivot).at[column].set(pivot)

    rows = jnp.concatenate([H, b[:, None]], axis=1)  # (d, d + 1, p)
    return jax.lax.fori_loop(0, len(H), eliminate, rows, unroll=UNROLLED)[:, -1]
