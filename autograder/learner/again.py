"""Runs a notebook's cells again in a process of its own, where the kernel has too few devices.

How many CPU devices JAX has is decided when its backend starts, and a kernel's backend usually
runs already when a check needs more of them.
"""

from __future__ import annotations

from pathlib import Path

import jax

from autograder.grading.files_beside import find_beside
from autograder.learner import sentences
from autograder.learner.cell_runs import sources_run
from autograder.model.exercise import Exercise
from autograder.model.notebook import Cell, defined_names
from autograder.sandbox import NOT_READ, Attempt


def attempt_again(exercise: Exercise) -> Attempt:
    """Return what a process with enough devices is to run: the cells that the kernel ran.

    Raises:
        RuntimeError: it is not known which cells ran, as in a script.
    """
    names = set(exercise.entry_points)
    cells = tuple(
        Cell(f"cell-{i}", source, "solution" if names & defined_names(source) else "show")
        for i, source in enumerate(sources_run())  # where they call `check`, nothing happens
    )
    if not cells:
        raise RuntimeError(
            sentences.TOO_FEW_DEVICES.format(devices=exercise.devices, found=jax.device_count())
        )
    beside = find_beside(Path.cwd(), [cell.source for cell in cells])
    return Attempt(cells, (exercise.name,), NOT_READ, beside=beside)
