"""Lesson `static_branch`: TracerBoolConversionError mended with a static argument."""

from __future__ import annotations

import numpy as np

from autograder.rubric import Exercise, Rubric


def draws(rng: np.random.Generator) -> list[tuple]:
    """Counts with zeros, in two shapes, and several powers, some of them used twice."""

    def counts(*shape: int) -> np.ndarray:
        drawn = rng.poisson(rng.gamma(0.5, 20.0, size=shape)).astype(np.float32)
        drawn.flat[0] = 0.0
        return drawn

    return [
        (counts(5, 4), 0),
        (counts(5, 4), 2),
        (counts(5, 4), 0),
        (counts(5, 4), 3),
        (counts(5, 4), 1),
        (counts(5, 4), 2),
        (
            counts(
                7,
            ),
            0,
        ),
        (
            counts(
                7,
            ),
            2,
        ),
        (counts(1, 1), 3),
    ]


def box_cox(counts: np.ndarray, power: int) -> np.ndarray:
    """Box and Cox (1964), equation 1, of ``counts + 1``."""
    if power == 0:
        return np.log(counts + 1)
    return ((counts + 1) ** power - 1) / power


rubric = Rubric(
    lesson="static_branch",
    exercises=(
        Exercise(
            name="static_branch",
            entry_points=("box_cox",),
            draws=draws,
            reference=box_cox,
            points={"outputs": 4, "purity": 2, "compilations": 3},
        ),
    ),
)
