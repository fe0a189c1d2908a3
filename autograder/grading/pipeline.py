"""Grading one notebook file outside a kernel: intake, worker, judge, one report an exercise."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from autograder.core.finding import Finding
from autograder.core.kit_fault import kit_finding
from autograder.core.notebook import Notebook
from autograder.core.observation import Observation
from autograder.core.report import KIT_ERROR, Report, Status
from autograder.core.rubric import PUBLIC_KEY, Rubric, RubricError
from autograder.grading import messages
from autograder.grading.mark import calls_to_export, grade, not_graded
from autograder.grading.read import UnreadableNotebook, read_notebook
from autograder.grading.settle import observe_settled
from autograder.grading.store import Graded
from autograder.judge.client import AnyJudge, JudgeError
from autograder.sandbox import Limits, Zygotes, observe_cells
from autograder.sandbox.zygote_client import WorkerError


def refuse_all(rubric: Rubric, reason: str, text: str, key: int = PUBLIC_KEY) -> list[Report]:
    """Reports on a notebook of which no exercise could be judged, and why."""
    finding = Finding(reason, "error", None, text)
    return [not_graded(rubric, e, reason, finding, key) for e in rubric.exercises]


def grade_notebook(
    path: Path, rubric: Rubric, judge: AnyJudge, key: int = PUBLIC_KEY
) -> list[Report]:
    """Grade every exercise of a submitted notebook; whatever is wrong with it becomes a status.

    Args:
        path: the notebook.
        rubric: of the lesson that was asked for.
        judge: runs the programs.
        key: of the draws to judge with.

    Raises:
        autograder.judge.client.JudgeError: the judge cannot work here; no submission is to blame.
    """
    try:
        notebook = read_notebook(path)
    except UnreadableNotebook as error:
        return refuse_all(rubric, "unreadable-notebook", str(error), key)
    return list(grade_cells(notebook, path.name, rubric, judge, key).reports)


def grade_cells(
    notebook: Notebook,
    name: str,
    rubric: Rubric,
    judge: AnyJudge,
    key: int = PUBLIC_KEY,
    limits: Limits | None = None,
    zygotes: Zygotes | None = None,
) -> Graded:
    """Grade the exercises of a notebook that has been read; see `grade_notebook`.

    Cells that only show something are not run, which saves half of the time, unless a name is
    missing without them.

    Args:
        notebook: its cells.
        name: of the file, for messages.
        rubric: of the lesson that was asked for.
        judge: runs the programs.
        key: of the draws to judge with.
        limits: of the processes that run the cells.
        zygotes: what these processes are forked from; by default this process's own.

    Raises:
        autograder.judge.client.JudgeError: the judge cannot work here; no submission is to blame.
        autograder.sandbox.zygote_client.WorkerError: no worker can be started here.
    """
    short = replace(notebook, cells=tuple(c for c in notebook.cells if c.role != "show"))
    try:
        graded = _grade(short, name, rubric, judge, key, limits, zygotes)
        if short != notebook and _misses_a_name(graded.reports):
            graded = _grade(notebook, name, rubric, judge, key, limits, zygotes)
    except (JudgeError, RubricError, WorkerError):
        raise
    except Exception as error:
        text = kit_finding(error).message
        graded = Graded(tuple(refuse_all(rubric, KIT_ERROR, text, key)))
    return graded


def _misses_a_name(reports: Sequence[Report]) -> bool:
    """Whether something may have been defined or imported in a cell that was left out."""
    found = [f.message for r in reports for c in r.criteria for f in c.findings]
    return any("NameError" in m for m in found) or any(
        c.reason in ("missing-function", "cell-failed") for r in reports for c in r.criteria
    )


def _grade(
    notebook: Notebook,
    name: str,
    rubric: Rubric,
    judge: AnyJudge,
    key: int,
    limits: Limits | None,
    zygotes: Zygotes | None,
) -> Graded:
    started = time.monotonic()
    if not any(cell.source.strip() for cell in notebook.cells if cell.role != "check"):
        first = rubric.exercises[0].name
        text = messages.NO_KIT_CELLS.format(path=name, exercise=first)
        return Graded(tuple(refuse_all(rubric, "empty-notebook", text, key)))

    def observed(rubric: Rubric) -> dict[str, Observation]:
        calls = {e.name: calls_to_export(e, key) for e in rubric.exercises}
        return observe_cells(notebook.cells, rubric, calls, limits, zygotes)

    rubric, seen = observe_settled(rubric, key, judge, observed)
    reports, programs = [], {}
    for exercise in rubric.exercises:
        try:
            report = grade(rubric, exercise, seen[exercise.name], judge, key, to_time=True)
        except (JudgeError, RubricError):
            raise
        except Exception as error:  # the other exercises still count
            report = not_graded(rubric, exercise, KIT_ERROR, kit_finding(error), key)
        reports.append(report)
        to_time = seen[exercise.name].programs[-1:]
        if (
            exercise.speed is not None
            and report.criterion("speed").status is Status.PENDING
            and to_time
            and to_time[0] is not None
        ):
            programs[exercise.name] = to_time[0].blob
    return Graded(tuple(reports), programs, time.monotonic() - started)
