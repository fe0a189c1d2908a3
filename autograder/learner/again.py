"""Runs a notebook's cells again in a process of its own, where the kernel has too few devices.

How many CPU devices JAX has is decided when its backend starts, and a kernel's backend usually
runs already when a check needs more of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import jax

from autograder.grading.files_beside import find_beside
from autograder.grading.plan import Run
from autograder.grading.run import Worker, observe_run
from autograder.learner import sentences
from autograder.learner.cell_runs import sources_run
from autograder.model.notebook import Cell, Notebook, defined_names
from autograder.model.observation import Observation
from autograder.model.report import UnprovedLine
from autograder.model.rubric import Rubric
from autograder.sandbox import Calls, shared_workers


def has_too_few_devices(rubric: Rubric) -> bool:
    """Return whether the kernel cannot run the cells itself.

    This starts JAX's backend where more than one device is needed.
    """
    return rubric.devices > 1 and rubric.devices > jax.device_count()


def worker_again(rubric: Rubric, planned: Run | None) -> Worker:
    """Return a worker that runs the cells that the kernel ran, in a process with enough devices.

    Args:
        rubric: with the one exercise that is checked.
        planned: what its source proves; None where it does not tell what is there.

    Raises:
        RuntimeError: it is not known which cells ran, as in a script.
    """
    (exercise,) = rubric.exercises
    names = set(exercise.entry_points)
    cells = tuple(
        Cell(f"cell-{i}", source, "solution" if names & defined_names(source) else "show")
        for i, source in enumerate(sources_run())  # where they call `check`, nothing happens
    )
    if not cells:
        raise RuntimeError(
            sentences.TOO_FEW_DEVICES.format(devices=rubric.devices, found=jax.device_count())
        )
    run = planned or Run(cells, (exercise.name,), UnprovedLine("", 0, "", ""))

    def observe(rubric: Rubric, calls: Calls) -> Mapping[str, Observation]:
        beside = find_beside(Path.cwd(), [cell.source for cell in cells])
        notebook = Notebook(rubric.lesson, cells, beside=beside)
        return observe_run(run, rubric, calls, notebook, None, shared_workers(), echo=False)

    return observe


def describe_devices(rubric: Rubric) -> str:
    """Return a note on where the cells ran."""
    return sentences.RAN_WITH_DEVICES.format(devices=rubric.devices, found=jax.device_count())
