"""Drills of the lesson `static_reshape`: sizes that Python must know."""

from __future__ import annotations

import numpy as np

from autograder.rubrics.drills._drill import PROGRAM, make_drill, make_rubric


def draw_covariates(rng: np.random.Generator) -> list[tuple]:
    return [(rng.normal(size=shape).astype(np.float32),) for shape in ((6, 2), (9, 2), (4, 1))]


def add_intercept(X: np.ndarray) -> np.ndarray:
    return np.hstack([np.ones_like(X[:, :1]), X])


def draw_blocks(rng: np.random.Generator) -> list[tuple]:
    x = rng.normal(size=(3, 12)).astype(np.float32)
    return [(x[0], 3), (x[1], 4), (x[2], 3), (x[0, :8], int(rng.choice([1, 2, 8])))]


def block_means(x: np.ndarray, width: int) -> np.ndarray:
    return x.reshape(-1, width).mean(axis=1)


def draw_grids(rng: np.random.Generator) -> list[tuple]:
    x = rng.normal(size=(3, 7)).astype(np.float32)
    return [(x[0], 5), (x[1], int(rng.integers(6, 12))), (x[2], 5)]


def make_grid(x: np.ndarray, points: int) -> np.ndarray:
    return np.linspace(x.min(), x.max(), points, dtype=x.dtype)


def draw_sites(rng: np.random.Generator) -> list[tuple]:
    calls = []
    for n, d in ((6, 3), (1500, 4)):
        root = rng.normal(size=(d, d))
        X, Sigma = rng.normal(size=(n, d)), root @ root.T + np.eye(d)
        calls.append((X.astype(np.float32), Sigma.astype(np.float32)))
    return calls


def site_variances(X: np.ndarray, Sigma: np.ndarray) -> np.ndarray:
    return np.sum((X @ Sigma) * X, axis=1)


rubric = make_rubric(
    "static_reshape",
    make_drill(
        "add_intercept",
        "`X.shape[0]` is a plain number. What does `jnp.array` make of it?",
        draws=draw_covariates,
        reference=add_intercept,
    ),
    make_drill(
        "block_means",
        "The shape of the result depends on `width`, so `width` must be static.",
        draws=draw_blocks,
        reference=block_means,
    ),
    make_drill(
        "make_grid",
        "How long is the result? What decides that must be static.",
        draws=draw_grids,
        reference=make_grid,
    ),
    make_drill(
        "site_variances",
        "Only the diagonal is wanted: multiply `X @ Sigma` by `X`, entry by entry, and sum the "
        "rows.",
        draws=draw_sites,
        reference=site_variances,
        criteria=(*PROGRAM, "memory"),
        scratch=2**20,
        minutes=5,
        difficulty="medium",
    ),
)
