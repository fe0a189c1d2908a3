"""Lesson `static_reshape`: shapes are static; compute them with NumPy, math or -1."""

from __future__ import annotations

import numpy as np

from autograder.rubric import Exercise, Rubric


def draws(rng: np.random.Generator) -> list[tuple]:
    """Tables of several shapes, one of them a single cell, one with three axes."""

    def counts(*shape: int) -> np.ndarray:
        return (1 + rng.poisson(rng.gamma(0.5, 20.0, size=shape))).astype(np.float32)

    return [(counts(*s),) for s in ((4, 3), (4, 3), (2, 5), (1, 1), (3, 2, 4), (11, 7))]


def rank_abundance(counts: np.ndarray) -> np.ndarray:
    """Shares of all cells of the table, the largest first."""
    return np.sort((counts / counts.sum()).reshape(-1))[::-1]


rubric = Rubric(
    lesson="static_reshape",
    exercises=(
        Exercise(
            name="static_reshape",
            entry_points=("rank_abundance",),
            draws=draws,
            reference=rank_abundance,
            points={"outputs": 4, "purity": 2, "compilations": 3},
        ),
    ),
)
