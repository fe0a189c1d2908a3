"""Lesson `static_branch`: TracerBoolConversionError fixed with a static argument."""

from __future__ import annotations

import numpy as np

from autograder.model.exercise import Compilations, ProgramExercise
from autograder.model.rubric import Rubric
from autograder.rubrics._draws import counts, large_table


def draws(rng: np.random.Generator) -> list[tuple]:
    """Counts with zeros, in some shapes, and powers of either sign, some of them used twice.

    Small counts have a large power; some are all equal; one table is larger than the oaks.
    """

    first = counts(rng, 5, 4)
    first.flat[1] = rng.integers(3000, 9000)
    return [
        (first, 0),
        (counts(rng, 5, 4), 2),
        (counts(rng, 5, 4), 0),
        (counts(rng, 5, 4), int(rng.integers(3, 9))),
        (counts(rng, 5, 4), 1),
        (np.full((5, 4), rng.integers(1, 90), np.float32), 2),
        (large_table(rng), 2),
        (counts(rng, 7), -1),
        (counts(rng, 1, 1, 1), int(rng.integers(-6, -1))),
        (rng.integers(0, 3, size=(5, 4)).astype(np.float32), int(rng.integers(11, 16))),
    ]


def box_cox(counts: np.ndarray, power: int) -> np.ndarray:
    """Box and Cox (1964), equation 1, of ``counts + 1``."""
    if power == 0:
        return np.log(counts + 1)
    return ((counts + 1) ** power - 1) / power


rubric = Rubric(
    lesson="static_branch",
    exercises=(
        ProgramExercise(
            name="static_branch",
            minutes=4,
            difficulty="easy",
            importance=3,
            entry_points=("box_cox",),
            draws=draws,
            reference=box_cox,
            points={"outputs": 4, "purity": 2, "compilations": 3},
            compilations=Compilations(one_function=True),
        ),
    ),
    learned="Python branches under jit, static arguments, one compilation for each static value",
    minutes=30,
)
