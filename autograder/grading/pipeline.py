"""From a submitted notebook to its reports: the steps of grading, in order.

    read    takes the cells from the file, in any state
    repair  restores the released version's graded cells
    trust   says what the evidence for each criterion is worth
    run     runs the cells in a worker, which exports programs and observes
    prove   lets the judge decide on the programs
    mark    turns findings into points
    store   keeps the result for the next time (called by `autograder.classroom`)

Each step is one module of this package. Whoever grades goes through here: `check` in a notebook,
the pytest items, `autograder grade` and nbgrader's preprocessors. They differ in the worker only.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from autograder.core.beside import Beside
from autograder.core.finding import Finding
from autograder.core.kit_fault import CannotJudge, kit_finding
from autograder.core.notebook import Cell, Notebook, NotebookNode, nbformat, notebook_of
from autograder.core.observation import Observation
from autograder.core.printable import one_line
from autograder.core.report import KIT_ERROR, MISSING_FILE, UNREADABLE, Report, Status
from autograder.core.rubric import PUBLIC_KEY, Exercise, Rubric, RubricError
from autograder.core.templates import Text
from autograder.grading import messages, readings
from autograder.grading.apart import OutOfLimits, read_apart
from autograder.grading.defence import defend_notebook, refuse_defence
from autograder.grading.files_beside import find_beside
from autograder.grading.mark import mark, not_graded
from autograder.grading.prove import ask_for_figure, prove
from autograder.grading.read import MAX_FILE
from autograder.grading.repair import Repaired, unreadable
from autograder.grading.run import Worker, run
from autograder.grading.store import Graded
from autograder.grading.trust import Trust, read_rest, read_source, read_when_checked
from autograder.judge.client import AnyJudge
from autograder.sandbox import Calls, Limits, PlainWorkers, Zygotes, observe_cells

_OF_MISSING_FILES = {"missing-file", "missing-script", "missing-module"}
"""Rules of errors about a file that was not there. It may be there where the student works, so the
code may be right."""
_MAX_NAMES = 5


def prepare(
    raw: bytes,
    name: str,
    released: NotebookNode | None,
    *,
    shown: bool = True,
    folder: Path | None = None,
) -> Repaired:
    """Read a submission and fit it to the released version.

    Args:
        raw: the submitted file.
        name: of the file, for messages.
        released: the notebook as students got it; None to take the submission as it is.
        shown: whether others read its texts. They are then made harmless, otherwise left out.
        folder: that the file lies in: what its cells name there goes with them.
    """
    if len(raw) > MAX_FILE:  # it is refused by its size
        return _repaired(readings.prepare(name, released, shown, True, raw))
    try:
        return _prepare_apart(raw, folder, name, released, shown, True)
    except OutOfLimits as error:
        problem = error.problem
    if shown:  # perhaps it was a text
        with suppress(OutOfLimits):
            return _prepare_apart(raw, folder, name, released, shown, False)
    text = messages.UNREADABLE_NOTEBOOK.format(path=one_line(name), problem=problem)
    return unreadable(text, released or nbformat.v4.new_notebook())


def _prepare_apart(raw: bytes, folder: Path | None, *arguments: Any) -> Repaired:
    try:
        repaired = _repaired(read_apart(readings.prepare, *arguments, raw=raw))
    except RecursionError:  # this process has less room than the one that has read it
        raise OutOfLimits(messages.OUT_OF_LIMITS["depth"]) from None
    cells = repaired.notebook["cells"]
    named = [cell["source"] for cell in cells if cell["cell_type"] == "code"]
    return replace(repaired, beside=find_beside(folder, named))


def _repaired(read: dict[str, Any]) -> Repaired:
    refused = read["unreadable"]
    why = "" if refused is None else Text(*refused)
    return Repaired(nbformat.from_dict(read["notebook"]), tuple(read["notes"]), why)


def notebook_in(repaired: Repaired, lesson: str) -> Notebook:
    """Return what is graded of a submission that was prepared, and the files beside it."""
    return replace(notebook_of(lesson, repaired.notebook), beside=repaired.beside)


def grade_submission(
    repaired: Repaired,
    name: str,
    rubric: Rubric,
    judge: AnyJudge,
    key: int = PUBLIC_KEY,
    workers: Zygotes | PlainWorkers | None = None,
) -> Graded:
    """Grade a submission that was prepared; see `grade_cells`."""
    if repaired.unreadable:
        return refuse_unreadable(rubric, repaired, key)
    notebook = notebook_in(repaired, rubric.lesson)
    graded = grade_cells(notebook, name, rubric, judge, key, workers=workers)
    return name_files_left(graded, notebook.beside)


def refuse_unreadable(rubric: Rubric, repaired: Repaired, key: int = PUBLIC_KEY) -> Graded:
    """Return the result for a submission that could not be read."""
    graded = _refuse(rubric, UNREADABLE, repaired.unreadable, key)
    defence = notebook_of(rubric.lesson, repaired.notebook).defence
    if defence is None:
        return graded
    finding = Finding.error(UNREADABLE, repaired.unreadable)
    report = refuse_defence(rubric, defence, UNREADABLE, finding, key)
    return replace(graded, reports=(*graded.reports, report))


def refuse_by_kit(rubric: Rubric, error: Exception, key: int = PUBLIC_KEY) -> Graded:
    """Return the result where the kit failed, or cannot judge here."""
    return _refuse(rubric, KIT_ERROR, kit_finding(error).message, key)


def _refuse(rubric: Rubric, reason: str, text: str, key: int) -> Graded:
    finding = Finding.error(reason, text)
    return Graded(tuple(not_graded(rubric, e, reason, finding, key) for e in rubric.exercises))


def grade_cells(
    notebook: Notebook,
    name: str,
    rubric: Rubric,
    judge: AnyJudge,
    key: int = PUBLIC_KEY,
    limits: Limits | None = None,
    workers: Zygotes | PlainWorkers | None = None,
) -> Graded:
    """Grade every exercise of a notebook in workers; a defect becomes a status.

    Cells that only show something are not run, which saves half of the time, and neither are those
    of drills, unless a name is missing without them. Statements that only show something are not
    run either where the rest is then admitted by the allow-list; it is the marks of the whole that
    count. Where cells below a check bind a name of those above again, the better of both results
    counts: what all cells leave, and what was there at the check.

    Args:
        notebook: its cells.
        name: of the file, for messages.
        rubric, judge, key: see `grade_exercises`, also for what is raised.
        limits: of the processes that run the cells.
        workers: where these processes come from; by default this process's own zygotes.
    """
    if not any(cell.source.strip() for cell in notebook.cells if cell.role != "check"):
        text = messages.NO_KIT_CELLS.format(path=name, exercise=rubric.exercises[0].name)
        return _refuse(rubric, "empty-notebook", text, key)

    def grade(cells: tuple[Cell, ...], rubric: Rubric = rubric) -> Graded:
        try:
            trust = read_source(cells, rubric)
            rest = read_rest(cells, _entry_points(rubric), trust)
            trust_in_rest = read_source(rest, rubric) if rest is not None else trust
        except Exception as error:
            return refuse_by_kit(rubric, error, key)
        if rest is None:
            return run_and_mark(cells, trust, rubric)
        shorter = run_and_mark(rest, trust_in_rest, rubric)
        if _has_passed(shorter):
            return shorter
        whole = run_and_mark(cells, trust, rubric)
        return shorter if _marks(shorter) == _marks(whole) else whole

    def run_and_mark(cells: tuple[Cell, ...], trust: Trust, rubric: Rubric) -> Graded:
        def worker(rubric: Rubric, calls: Calls) -> Mapping[str, Observation]:
            to_see = {name: some for name, some in calls.items() if name not in trust.read}
            echo = not trust.steady
            seen = {}
            if to_see:
                seen = observe_cells(
                    cells,
                    rubric,
                    to_see,
                    limits,
                    workers,
                    echo=echo,
                    saved_with=notebook.saved_with,
                    beside=notebook.beside,
                )
            return {**trust.read, **seen}

        graded = grade_exercises(rubric, worker, judge, key)
        return replace(graded, reports=tuple(map(trust.apply, graded.reports)))

    ran = notebook.needed(drills=rubric.practice)
    graded = grade(ran)
    if ran != notebook.cells and _misses_a_name(graded.reports):
        ran = notebook.cells
        graded = grade(ran)
    for report in graded.reports:
        exercise = rubric.exercise(report.exercise)
        checked = None if _is_whole(report) else read_when_checked(notebook.cells, ran, exercise)
        if checked is not None:
            graded = _better(graded, grade(checked, replace(rubric, exercises=(exercise,))))
    if notebook.defence is None:
        return graded
    reports = {report.exercise: report for report in graded.reports}
    asked = defend_notebook(
        notebook, notebook.defence, rubric, reports, judge, key, limits, workers
    )
    return replace(graded, reports=(*graded.reports, asked))


def _entry_points(rubric: Rubric) -> set[str]:
    return {name for exercise in rubric.exercises for name in exercise.entry_points}


def _has_passed(graded: Graded) -> bool:
    return all(r.status in (Status.PASSED, Status.PENDING) for r in graded.reports)


def _is_whole(report: Report) -> bool:
    return report.failed_by_kit or report.status in (Status.PASSED, Status.PENDING)


def _better(graded: Graded, again: Graded) -> Graded:
    """Return a result with what was graded once more, if that earned more."""
    (report,) = again.reports
    name = report.exercise
    earned = next(known.earned for known in graded.reports if known.exercise == name)
    if report.earned <= earned:
        return graded
    return replace(
        graded,
        reports=tuple(report if known.exercise == name else known for known in graded.reports),
        programs={**graded.programs, **again.programs},
        program_digests={**graded.program_digests, **again.program_digests},
    )


def _marks(graded: Graded) -> list[tuple[str, Status, str, float]]:
    return [(c.name, c.status, c.reason, c.earned) for r in graded.reports for c in r.criteria]


def _misses_a_name(reports: Sequence[Report]) -> bool:
    """Return whether something may have been defined or imported in a cell that was left out."""
    criteria = [c for report in reports for c in report.criteria]
    return any("NameError" in f.message for c in criteria for f in c.findings) or any(
        c.reason in ("missing-function", "cell-failed", MISSING_FILE) for c in criteria
    )


def name_files_left(graded: Graded, beside: Beside) -> Graded:
    """Say which files beside the notebook were not there, where one was missing.

    This is no part of a stored result, which others with the same code share.
    """
    missing = any(c.reason == MISSING_FILE for r in graded.reports for c in r.criteria)
    if not missing or not beside.left:
        return graded
    shown = [f"{one_line(name)} ({why})" for name, why in beside.left[:_MAX_NAMES]]
    shown += ["..."] * (len(beside.left) > _MAX_NAMES)
    note = messages.LEFT_BESIDE.format(names=", ".join(shown))
    return replace(graded, reports=tuple(r.with_notes([note]) for r in graded.reports))


def grade_exercises(
    rubric: Rubric,
    worker: Worker,
    judge: AnyJudge,
    key: int,
    *,
    timed: bool = True,
    drawn: bool = False,
) -> Graded:
    """Run, prove and mark every exercise of a rubric.

    Args:
        rubric: the exercises.
        worker: runs the student's code.
        judge: runs the exported programs.
        key: of the draws to judge with; with the public key the reports are provisional.
        timed: whether the programs are to be timed afterwards.
        drawn: whether to draw what the rubric wants beside the outputs, such as a curve.

    Raises:
        autograder.judge.client.JudgeError: the judge cannot work here; no submission is to blame.
        autograder.sandbox.zygote_client.WorkerError: no worker can be started here.
        autograder.core.rubric.RubricError: the rubric is at fault.
    """
    started = time.monotonic()
    try:
        rubric, seen = run(rubric, worker, judge, key, timed=timed)
    except (CannotJudge, RubricError):
        raise
    except Exception as error:
        return refuse_by_kit(rubric, error, key)
    reports, programs, digests = [], {}, {}
    for exercise in rubric.exercises:
        observation = seen[exercise.name]
        try:
            report = grade_observation(
                rubric, exercise, observation, judge, key, timed=timed, drawn=drawn
            )
        except (CannotJudge, RubricError):
            raise
        except Exception as error:  # the other exercises still count
            report = not_graded(rubric, exercise, KIT_ERROR, kit_finding(error), key)
        reports.append(report)
        blobs = [program.blob for program in observation.programs if program is not None]
        if blobs:
            digests[exercise.name] = hashlib.sha256(b"".join(blobs)).hexdigest()
        program = observation.programs[-1] if timed and observation.programs else None
        waits = exercise.speed and report.criterion("speed").status is Status.PENDING
        if waits and program is not None:
            programs[exercise.name] = program.blob
    seconds = time.monotonic() - started
    return Graded(tuple(reports), programs, seconds, program_digests=digests)


def grade_observation(
    rubric: Rubric,
    exercise: Exercise,
    observation: Observation,
    judge: AnyJudge,
    key: int,
    *,
    timed: bool = False,
    drawn: bool = False,
) -> Report:
    """Prove and mark one exercise, as `grade_exercises` does for each.

    `observation` is of the calls that `autograder.grading.run.calls_to_export` lists.
    """
    if observation.refused is not None:
        reason, finding = observation.refused
        reason = MISSING_FILE if finding.rule in _OF_MISSING_FILES else reason
        return not_graded(rubric, exercise, reason, finding, key)
    judged = prove(rubric, exercise, observation, judge, key, timed=timed)
    figure = ask_for_figure(rubric, exercise, observation, judged, judge, key) if drawn else None
    report = mark(rubric, exercise, observation, judged, key, timed=timed, figure=figure)
    findings = [finding for criterion in report.criteria for finding in criterion.findings]
    missing = next((f for f in findings if f.rule in _OF_MISSING_FILES), None)
    if missing is None:
        return report
    return not_graded(rubric, exercise, MISSING_FILE, missing, key)
