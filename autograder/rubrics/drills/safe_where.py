"""Drills of the lesson `safe_where`: gradients of branches that are not chosen."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
from jax import Array

from autograder.rubrics._draws import LARGER, counts
from autograder.rubrics.drills._drill import make_drill, make_rubric, normals


def _draw_latent(rng: np.random.Generator) -> list[tuple]:
    first, large = normals(rng, (5, 4), LARGER)
    first[0] = 0.0
    tables = first, np.full((5, 4), -rng.uniform(1, 2), np.float32), large, first[1:2, 1:]
    return [(z,) for z in (*tables, first.copy())]


def _root_or_zero(z: Array) -> Array:
    chosen = z > 0
    return jnp.where(chosen, jnp.sqrt(jnp.where(chosen, z, 1)), 0)


def _draw_totals(rng: np.random.Generator) -> list[tuple]:
    calls = []
    for n in (5, 5, LARGER[0], 1):
        totals = rng.poisson(6.0, size=n).astype(np.float32) + 1
        totals[rng.integers(n)] = 0.0
        calls.append((counts(rng, n), totals))
    return [*calls, (calls[0][0].copy(), np.zeros(5, np.float32))]


def _share_of(counts: Array, totals: Array) -> Array:
    chosen = totals > 0
    return jnp.where(chosen, counts / jnp.where(chosen, totals, 1), 0)


def _draw_rows(rng: np.random.Generator) -> list[tuple]:
    (M,) = normals(rng, (2, 6, 3))
    M[0, rng.integers(6)] = 0.0
    (large,) = normals(rng, LARGER)
    return [(x,) for x in (M[0], M[1], np.zeros((4, 1), np.float32), large, M[0].copy())]


def _row_lengths(M: Array) -> Array:
    squares = jnp.sum(M**2, axis=1)
    chosen = squares > 0
    return jnp.where(chosen, jnp.sqrt(jnp.where(chosen, squares, 1)), 0)


rubric = make_rubric(
    "safe_where",
    make_drill("root_or_zero", draws=_draw_latent, reference=_root_or_zero, gradient=0),
    make_drill("share_of", draws=_draw_totals, reference=_share_of, gradient=1),
    make_drill("row_lengths", draws=_draw_rows, reference=_row_lengths, gradient=0),
)
