"""From a submitted notebook to its reports: the steps of grading, in order.

    read    takes the cells from the file, in any state
    repair  restores the released version's graded cells
    plan    says what runs, and what its source proves
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
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from autograder.grading import messages, readings
from autograder.grading.apart import OutOfLimits, read_apart
from autograder.grading.defence import defend_notebook, refuse_defence
from autograder.grading.files_beside import find_beside
from autograder.grading.mark import mark, not_graded
from autograder.grading.plan import Run, plan_runs, run_all
from autograder.grading.prove import ask_for_figure, prove
from autograder.grading.read import MAX_FILE
from autograder.grading.repair import Repaired, unreadable
from autograder.grading.run import Worker, observe_run, run
from autograder.grading.store import Graded
from autograder.judge.client import AnyJudge
from autograder.model.finding import Finding
from autograder.model.kit_fault import CannotJudge, kit_finding
from autograder.model.notebook import Beside, Cell, Notebook, NotebookNode, nbformat, notebook_of
from autograder.model.observation import Observation
from autograder.model.printable import one_line
from autograder.model.report import KIT_ERROR, MISSING_FILE, UNREADABLE, Report, Status
from autograder.model.rubric import PUBLIC_KEY, Exercise, Rubric, RubricError
from autograder.model.templates import Text
from autograder.sandbox import Calls, Limits, PlainWorkers, Zygotes

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

    What `autograder.grading.plan` says is run. Where that does not pass, and cells that it leaves
    out could change it, all cells are run, and the better of both results counts.

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

    def observe(planned: Run, rubric: Rubric, calls: Calls) -> Mapping[str, Observation]:
        return observe_run(planned, rubric, calls, notebook, limits, workers)

    best = grade_runs(notebook.cells, rubric, observe, judge, key)
    if notebook.defence is None:
        return best
    reports = {report.exercise: report for report in best.reports}
    asked = defend_notebook(
        notebook, notebook.defence, rubric, reports, judge, key, limits, workers
    )
    return replace(best, reports=(*best.reports, asked))


def grade_runs(
    cells: Sequence[Cell],
    rubric: Rubric,
    observe: Callable[[Run, Rubric, Calls], Mapping[str, Observation]],
    judge: AnyJudge,
    key: int,
    *,
    timed: bool = True,
) -> Graded:
    """Grade what `autograder.grading.plan` says is run, and where that does not pass, all cells.

    Args:
        cells: of the notebook.
        rubric, judge, key, timed: as for `grade_exercises`, also for what is raised.
        observe: runs what was planned, and observes the exercises.
    """

    def grade(planned: Run) -> Graded:
        def worker(rubric: Rubric, calls: Calls) -> Mapping[str, Observation]:
            return observe(planned, rubric, calls)

        only = tuple(rubric.exercise(name) for name in planned.exercises)
        graded = grade_exercises(replace(rubric, exercises=only), worker, judge, key, timed=timed)
        return replace(graded, reports=tuple(map(planned.apply, graded.reports)))

    try:
        runs = plan_runs(cells, rubric)
    except CannotJudge:
        raise
    except Exception as error:
        return refuse_by_kit(rubric, error)
    graded = [grade(planned) for planned in runs]
    for planned, found in zip(runs, tuple(graded), strict=True):
        for report in found.reports:
            if not _is_whole(report) and planned.leaves_out:
                graded.append(grade(run_all(cells, report.exercise, planned)))
    return _merge(rubric, graded)


def _is_whole(report: Report) -> bool:
    return report.failed_by_kit or report.status in (Status.PASSED, Status.PENDING)


def _merge(rubric: Rubric, graded: Sequence[Graded]) -> Graded:
    """Return one result for a rubric; of several for an exercise, the first of the best."""
    best: dict[str, tuple[Report, Graded]] = {}
    for one in graded:
        for report in one.reports:
            known = best.get(report.exercise)
            if known is None or report.earned > known[0].earned:
                best[report.exercise] = report, one
    return Graded(
        tuple(best[exercise.name][0] for exercise in rubric.exercises),
        {name: g.programs[name] for name, (_, g) in best.items() if name in g.programs},
        sum(one.seconds for one in graded),
        program_digests={
            name: g.program_digests[name]
            for name, (_, g) in best.items()
            if name in g.program_digests
        },
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
        autograder.model.rubric.RubricError: the rubric is at fault.
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
