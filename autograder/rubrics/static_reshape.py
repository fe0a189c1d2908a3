"""Lesson `static_reshape`: shapes are static; compute them with NumPy, math or -1."""

from __future__ import annotations

import numpy as np

from autograder.model.exercise import Compilations, ProgramExercise
from autograder.model.rubric import Rubric
from autograder.rubrics._draws import counts


def draws(rng: np.random.Generator) -> list[tuple]:
    """Tables of one axis to four, zeros in most of them; one has more cells than the oaks."""

    first, equal = counts(rng, 4, 3, least=1), np.full((4, 3), rng.integers(1, 90), np.float32)
    others = [counts(rng, *s, least=1) for s in ((3, 2, 4), (1, 1), (13500,), (2, 1, 3, 2))]
    return [(table,) for table in (first, equal, *others, first.copy())]


def rank_abundance(counts: np.ndarray) -> np.ndarray:
    """Shares of all cells of the table, the largest first."""
    return np.sort((counts / counts.sum()).reshape(-1))[::-1]


rubric = Rubric(
    lesson="static_reshape",
    exercises=(
        ProgramExercise(
            name="static_reshape",
            minutes=5,
            difficulty="easy",
            entry_points=("rank_abundance",),
            draws=draws,
            reference=rank_abundance,
            points={"outputs": 4, "purity": 2, "compilations": 3},
            compilations=Compilations(one_function=True),
        ),
    ),
    learned="shapes are static: `x.size`, `math.prod`, NumPy on shapes, -1; not hard-coded",
    minutes=15,
)
