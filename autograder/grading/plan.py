"""Plan: what runs for each exercise of a notebook, and what its source proves, before it runs.

The source is read apart (`autograder.grading.apart`). What is graded is a function as bound where
its check stands. Where the slice that it needs is proved, that alone runs. Otherwise all cells
above the check run, but for demonstrations that nothing needs, and what is seen of them is only
observed, as it is where the source cannot be read within the limits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from autograder.grading import messages, readings
from autograder.grading.apart import OutOfLimits, ReadingFailed, read_apart
from autograder.model.notebook import Cell, Notebook
from autograder.model.report import UnprovedLine
from autograder.model.rubric import Rubric
from autograder.sandbox import Attempt
from autograder.source import JittedFunction


def plan_attempts(notebook: Notebook, rubric: Rubric) -> list[Attempt]:
    """Read the cells, and return what runs for the exercises of a rubric.

    Raises:
        autograder.model.kit_fault.CannotJudge: nothing can be read on this machine.
        autograder.model.kit_fault.KitFault: the machine is too busy.
    """
    cells = notebook.cells
    texts = [(cell.id, cell.source, cell.role) for cell in cells]
    wanted = {exercise.name: exercise.entry_points for exercise in rubric.exercises}
    try:
        found = read_apart(readings.read_plan, texts, wanted)
    except (OutOfLimits, ReadingFailed) as error:
        unread = messages.UNREAD_SOURCE.format(problem=error.problem)
        attempts = [Attempt(tuple(cells), tuple(wanted), UnprovedLine("", 0, "", unread))]
    else:
        attempts = [_attempt(cells, **one) for one in found]
    where = {"saved_with": notebook.saved_with, "beside": notebook.beside}
    return [replace(attempt, **where) for attempt in attempts]


def _attempt(
    all_cells: Sequence[Cell],
    *,
    cells: Sequence[Any],
    exercises: Sequence[str],
    unproved: dict[str, Any] | None,
    jitted: dict[str, Any],
    fallback: Sequence[int],
) -> Attempt:
    """Return what `autograder.source.plan` has planned, with the cells themselves."""
    planned = ((all_cells[i], kept) for i, kept in cells)
    return Attempt(
        tuple(replace(cell, only=None if kept is None else tuple(kept)) for cell, kept in planned),
        tuple(exercises),
        None if unproved is None else UnprovedLine(**unproved),
        {name: JittedFunction(**found) for name, found in jitted.items()},
        tuple(all_cells[i] for i in fallback),
    )
