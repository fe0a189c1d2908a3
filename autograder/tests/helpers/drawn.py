"""An exercise with its draws, and the cells of a notebook, as the steps of grading take them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

from autograder.model.exercise import Exercise
from autograder.model.notebook import Cell
from autograder.model.rubric import PUBLIC_KEY, Drawn, Rubric
from autograder.sandbox import NOT_READ, Attempt

_number = itertools.count()


def drawn_of(exercise: Exercise, key: int = PUBLIC_KEY) -> Drawn:
    """Draw an exercise that is in no rubric; what is known of another one is not taken for it."""
    drawn = Rubric("none", (exercise,)).draw(exercise.name, key)
    return replace(drawn, rubric=f"none {next(_number)}")


def whole_notebook(cells: Sequence[Cell], *exercises: str) -> Attempt:
    """Return an attempt that runs all cells, of which nobody has read the source."""
    return Attempt(tuple(cells), exercises, NOT_READ)
