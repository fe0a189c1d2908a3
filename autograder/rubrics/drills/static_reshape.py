"""Drills of the lesson `static_reshape`: sizes that Python must know."""

from __future__ import annotations

import numpy as np

from autograder.rubrics._draws import LARGER
from autograder.rubrics.drills._drill import PROGRAM, make_drill, make_rubric


def draw_covariates(rng: np.random.Generator) -> list[tuple]:
    first, large, one = (
        rng.normal(size=shape).astype(np.float32) for shape in ((6, 2), LARGER, (4, 1))
    )
    return [(X,) for X in (first, np.zeros((6, 2), np.float32), large, one, first.copy())]


def draw_blocks(rng: np.random.Generator) -> list[tuple]:
    x, large = rng.normal(size=12).astype(np.float32), rng.normal(size=260).astype(np.float32)
    equal = np.full(12, rng.normal(), np.float32)
    return [(x, 3), (x.copy(), 4), (equal, 3), (large, 130), (x[:8], 8), (x[:8], 1), (x[:1], 1)]


def draw_grids(rng: np.random.Generator) -> list[tuple]:
    x, large = rng.normal(size=(2, 7)).astype(np.float32), rng.normal(size=140).astype(np.float32)
    equal = np.full(7, rng.normal(), np.float32)
    few = int(rng.integers(6, 12))
    return [(x[0], 5), (x[1], few), (equal, 5), (large, 130), (x[0].copy(), 2), (x[0, :1], 3)]


def draw_sites(rng: np.random.Generator) -> list[tuple]:
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
        "`X.shape[0]` is a plain number. What does `jnp.array` make of it?",
        draws=draw_covariates,
        reference=lambda X: np.hstack([np.ones_like(X[:, :1]), X]),
    ),
    make_drill(
        "block_means",
        "The shape of the result depends on `width`, so `width` must be static.",
        draws=draw_blocks,
        reference=lambda x, width: x.reshape(-1, width).mean(axis=1),
    ),
    make_drill(
        "make_grid",
        "How long is the result? What decides that must be static.",
        draws=draw_grids,
        reference=lambda x, points: np.linspace(x.min(), x.max(), points, dtype=x.dtype),
    ),
    make_drill(
        "site_variances",
        "Only the diagonal is wanted: multiply `X @ Sigma` by `X`, entry by entry, and sum the "
        "rows.",
        draws=draw_sites,
        reference=lambda X, Sigma: np.sum((X @ Sigma) * X, axis=1),
        criteria=(*PROGRAM, "memory"),
        scratch=2**20,
        minutes=5,
        difficulty="medium",
    ),
)
