"""Grading one notebook file outside a kernel: intake, worker, judge, one report an exercise."""

from __future__ import annotations

from pathlib import Path

from autograder import messages
from autograder.finding import Finding
from autograder.grading import calls_to_export, grade, not_graded
from autograder.intake import Notebook, UnreadableNotebook, read_notebook
from autograder.judge import Judge
from autograder.observation import Observation
from autograder.report import Report
from autograder.rubric import PUBLIC_KEY, Rubric
from autograder.worker import observe_cells


def _refuse_all(rubric: Rubric, reason: str, text: str, key: int) -> list[Report]:
    finding = Finding(reason, "error", None, text)
    return [not_graded(rubric, e, reason, finding, key) for e in rubric.exercises]


def grade_notebook(path: Path, rubric: Rubric, judge: Judge, key: int = PUBLIC_KEY) -> list[Report]:
    """Grade every exercise of a submitted notebook; whatever is wrong with it becomes a status.

    Args:
        path: the notebook.
        rubric: of the lesson that was asked for.
        judge: runs the programs.
        key: of the draws to judge with.

    Raises:
        autograder.judge.JudgeError: the judge cannot work here; no submission is to blame.
    """
    try:
        notebook = read_notebook(path)
    except UnreadableNotebook as error:
        return _refuse_all(rubric, "unreadable-notebook", str(error), key)
    return grade_cells(notebook, path.name, rubric, judge, key)


def grade_cells(
    notebook: Notebook, name: str, rubric: Rubric, judge: Judge, key: int = PUBLIC_KEY
) -> list[Report]:
    """Grade the exercises of a notebook that has been read; see `grade_notebook`."""
    if not any(cell.source.strip() for cell in notebook.cells if cell.role != "check"):
        first = rubric.exercises[0].name
        text = messages.NO_KIT_CELLS.format(path=name, exercise=first)
        return _refuse_all(rubric, "empty-notebook", text, key)
    calls = {e.name: calls_to_export(e, key) for e in rubric.exercises}
    judge.launch()
    observations: dict[str, Observation] = observe_cells(notebook.cells, rubric, calls)
    return [grade(rubric, e, observations[e.name], judge, key) for e in rubric.exercises]
