"""Drills of the lesson `static_reshape`: sizes that Python must know."""

from __future__ import annotations

import numpy as np

from autograder.model.exercise import Memory
from autograder.rubrics._draws import LARGER
from autograder.rubrics.drills._drill import make_drill, make_rubric, normals


def _draw_covariates(rng: np.random.Generator) -> list[tuple]:
    first, large, one = normals(rng, (6, 2), LARGER, (4, 1))
    return [(X,) for X in (first, np.zeros((6, 2), np.float32), large, one, first.copy())]


def _draw_blocks(rng: np.random.Generator) -> list[tuple]:
    x, large = normals(rng, 12, 260)
    equal = np.full(12, rng.normal(), np.float32)
    return [(x, 3), (x.copy(), 4), (equal, 3), (large, 130), (x[:8], 8), (x[:8], 1), (x[:1], 1)]


def _draw_grids(rng: np.random.Generator) -> list[tuple]:
    x, large = normals(rng, (2, 7), 140)
    equal = np.full(7, rng.normal(), np.float32)
    few = int(rng.integers(6, 12))
    return [(x[0], 5), (x[1], few), (equal, 5), (large, 130), (x[0].copy(), 2), (x[0, :1], 3)]


def _draw_sites(rng: np.random.Generator) -> list[tuple]:
    calls = []
    for n, d in ((6, 3), (6, 3), (1, 1), (1600, 4)):
        root = rng.normal(size=(d, d))
        X, Sigma = rng.normal(size=(n, d)), root @ root.T + np.eye(d)
        calls.append((X.astype(np.float32), Sigma.astype(np.float32)))
    calls.insert(2, (np.ones_like(calls[0][0]), calls[0][1].copy()))
    return calls


rubric = make_rubric(
    "static_reshape",
    make_drill(
        "add_intercept",
        draws=_draw_covariates,
        reference=lambda X: np.hstack([np.ones_like(X[:, :1]), X]),
    ),
    make_drill(
        "block_means",
        draws=_draw_blocks,
        reference=lambda x, width: x.reshape(-1, width).mean(axis=1),
    ),
    make_drill(
        "make_grid",
        draws=_draw_grids,
        reference=lambda x, points: np.linspace(x.min(), x.max(), points, dtype=x.dtype),
    ),
    make_drill(
        "site_variances",
        draws=_draw_sites,
        reference=lambda X, Sigma: np.sum((X @ Sigma) * X, axis=1),
        minutes=5,
        difficulty="medium",
        memory=Memory(scratch=2**20),
    ),
)
