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
import logging
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from autograder.grading import messages, readings
from autograder.grading.apart import OutOfLimits, read_apart
from autograder.grading.defence import defend, refuse_defence
from autograder.grading.files_beside import find_beside
from autograder.grading.mark import mark, not_graded
from autograder.grading.plan import plan_attempts
from autograder.grading.prove import ask_for_figure, prove
from autograder.grading.read import MAX_FILE
from autograder.grading.repair import Repaired, unreadable
from autograder.grading.run import Worker, run
from autograder.model.exercise import RubricError
from autograder.model.finding import Finding
from autograder.model.graded import Graded
from autograder.model.kit_fault import CannotJudge, kit_finding
from autograder.model.notebook import Beside, Notebook, NotebookNode, nbformat, notebook_of
from autograder.model.observation import Observation
from autograder.model.printable import one_line
from autograder.model.reasons import EMPTY_NOTEBOOK, KIT_ERROR, MISSING_FILE, UNREADABLE
from autograder.model.report import Report, Status
from autograder.model.rubric import Drawn
from autograder.model.templates import Text
from autograder.model.terms import Terms
from autograder.sandbox import Attempt, Processes

_OF_MISSING_FILES = {MISSING_FILE, "missing-module"}
"""Rules of errors about a file that was not there. It may be there where the student works, so the
code may be right."""
_MAX_NAMES = 5
log = logging.getLogger("autograder")


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
        return _repaired(readings.read_and_repair(name, released, shown, True, raw), released)
    try:
        return _prepare_apart(raw, folder, name, released, shown, True)
    except OutOfLimits as error:
        problem = error.problem
    if shown:  # perhaps it was a text
        with suppress(OutOfLimits):
            return _prepare_apart(raw, folder, name, released, shown, False)
    text = messages.UNREADABLE_NOTEBOOK.format(path=one_line(name), problem=problem)
    return unreadable(text, released)


def _prepare_apart(
    raw: bytes, folder: Path | None, name: str, released: NotebookNode | None, *how: bool
) -> Repaired:
    try:
        read = read_apart(readings.read_and_repair, name, released, *how, raw=raw)
        repaired = _repaired(read, released)
    except RecursionError:  # this process has less room than the one that has read it
        raise OutOfLimits(messages.OUT_OF_LIMITS["depth"]) from None
    cells = repaired.notebook["cells"]
    named = [cell["source"] for cell in cells if cell["cell_type"] == "code"]
    return replace(repaired, beside=find_beside(folder, named))


def _repaired(read: dict[str, Any], released: NotebookNode | None) -> Repaired:
    if "unreadable" in read:
        return unreadable(Text(*read["unreadable"]), released)
    return Repaired(nbformat.from_dict(read["notebook"]), tuple(read["notes"]))


def notebook_in(repaired: Repaired, lesson: str) -> Notebook:
    """Return what is graded of a submission that was prepared, and the files beside it."""
    return replace(notebook_of(lesson, repaired.notebook), beside=repaired.beside)


def grade_submission(
    repaired: Repaired, name: str, terms: Terms, worker: Processes | None = None
) -> Graded:
    """Grade a submission that was prepared; see `grade_notebook`."""
    if repaired.unreadable:
        return refuse_unreadable(repaired, terms)
    notebook = notebook_in(repaired, terms.rubric.lesson)
    graded = grade_notebook(notebook, name, terms, worker)
    return name_skipped_files(graded, notebook.beside)


def refuse_unreadable(repaired: Repaired, terms: Terms) -> Graded:
    """Return the result for a submission that could not be read."""
    finding = Finding.error(UNREADABLE, repaired.unreadable)
    graded = refuse(UNREADABLE, finding, terms)
    defence = notebook_of(terms.rubric.lesson, repaired.notebook).defence
    if defence is None:
        return graded
    report = refuse_defence(defence, UNREADABLE, finding, terms)
    return replace(graded, reports=(*graded.reports, report))


def refuse_by_kit(error: Exception, terms: Terms) -> Graded:
    """Return the result where the kit failed, or cannot judge here."""
    return refuse(KIT_ERROR, kit_finding(error), terms)


def refuse(reason: str, finding: Finding, terms: Terms) -> Graded:
    """Return the result where nothing could be judged, with a reason instead of a mark."""
    exercises = terms.rubric.exercises
    return Graded(tuple(not_graded(one, reason, finding, terms) for one in exercises))


def grade_notebook(
    notebook: Notebook, name: str, terms: Terms, worker: Processes | None = None
) -> Graded:
    """Grade every exercise of a notebook; a defect becomes a status.

    Args:
        notebook: its cells.
        name: of the file, for messages.
        terms: how the lesson's submissions are judged here.
        worker: runs the cells; by default this process's own zygotes.

    Raises:
        autograder.model.kit_fault.CannotJudge: neither worker nor judge can work here.
        autograder.model.exercise.RubricError: the rubric is at fault.
    """
    worker = worker or Processes()
    if not any(cell.source.strip() for cell in notebook.cells if cell.role != "check"):
        text = messages.NO_KIT_CELLS.format(path=name, exercise=terms.rubric.exercises[0].name)
        return refuse(EMPTY_NOTEBOOK, Finding.error(EMPTY_NOTEBOOK, text), terms)
    try:
        attempts = plan_attempts(notebook, terms.rubric)
    except CannotJudge:
        raise
    except Exception as error:
        return refuse_by_kit(error, terms)
    graded = grade_attempts(attempts, terms, worker)
    if notebook.defence is None:
        return graded
    reports = {report.exercise: report for report in graded.reports}
    asked = defend(notebook, notebook.defence, reports, terms, worker)
    return replace(graded, reports=(*graded.reports, asked))


class _Result(NamedTuple):
    """A report on an exercise, the program to time, and the digest of all its programs."""

    report: Report
    program: bytes | None = None
    digest: str = ""


def grade_attempts(attempts: Iterable[Attempt], terms: Terms, worker: Worker) -> Graded:
    """Grade what is planned.

    Where that does not pass, and cells that it leaves out could change it, these are run too, and
    the better of both results counts.

    For the arguments, and what is raised, see `grade_notebook`.
    """
    started = time.monotonic()
    best: dict[str, _Result] = {}
    waiting = list(attempts)
    for attempt in waiting:  # grows
        for result in grade_attempt(attempt, terms, worker):
            name = result.report.exercise
            if name not in best or result.report.earned > best[name].report.earned:
                best[name] = result
            if attempt.fallback and not _is_whole(result.report):
                waiting.append(attempt.with_fallback(name, messages.SLICE_FAILED))
    found = [best[exercise.name] for exercise in terms.rubric.exercises]
    return Graded(
        tuple(result.report for result in found),
        {r.report.exercise: r.program for r in found if r.program is not None},
        time.monotonic() - started,
        program_digests={r.report.exercise: r.digest for r in found if r.digest},
    )


def _is_whole(report: Report) -> bool:
    return report.failed_by_kit or report.status in (Status.PASSED, Status.PENDING)


def grade_attempt(attempt: Attempt, terms: Terms, worker: Worker) -> list[_Result]:
    """Run, prove and mark the exercises of one attempt."""
    try:
        seen = run(attempt, terms, worker)
    except (CannotJudge, RubricError):
        raise
    except Exception as error:
        failed = refuse_by_kit(error, terms.only(*attempt.exercises))
        return [_Result(attempt.apply(report)) for report in failed.reports]
    return [_grade_exercise(attempt, drawn, one, terms) for drawn, one in seen.items()]


def _grade_exercise(
    attempt: Attempt, drawn: Drawn, observation: Observation, terms: Terms
) -> _Result:
    try:
        report = attempt.apply(grade_observation(drawn, observation, terms))
    except (CannotJudge, RubricError):
        raise
    except Exception as error:  # the other exercises still count
        finding = kit_finding(error)
        report = attempt.apply(not_graded(drawn.exercise, KIT_ERROR, finding, terms))
    programs = [program.blob for program in observation.programs if program is not None]
    digest = hashlib.sha256(b"".join(programs)).hexdigest() if programs else ""
    waits = "speed" in drawn.exercise.points and report.criterion("speed").status is Status.PENDING
    last = observation.programs[-1] if terms.timed and waits and observation.programs else None
    return _Result(report, last and last.blob, digest)


def grade_observation(drawn: Drawn, observation: Observation, terms: Terms) -> Report:
    """Prove and mark one exercise.

    `observation` is of the calls that `autograder.grading.run.calls_to_export` lists.
    """
    exercise = drawn.exercise
    if observation.refused is not None:
        reason, finding = observation.refused
        reason = MISSING_FILE if finding.rule in _OF_MISSING_FILES else reason
        return not_graded(exercise, reason, finding, terms)
    judged = prove(drawn, observation, terms)
    figure = ask_for_figure(drawn, observation, judged, terms)
    report = mark(exercise, observation, judged, figure, terms)
    findings = [finding for criterion in report.criteria for finding in criterion.findings]
    missing = next((f for f in findings if f.rule in _OF_MISSING_FILES), None)
    return report if missing is None else not_graded(exercise, MISSING_FILE, missing, terms)


def name_skipped_files(graded: Graded, beside: Beside) -> Graded:
    """Say which files beside the notebook were not there, where one was missing.

    This is no part of a stored result, which others with the same code share.
    """
    missing = any(c.reason == MISSING_FILE for r in graded.reports for c in r.criteria)
    if not missing or not beside.skipped:
        return graded
    shown = [f"{one_line(name)} ({why})" for name, why in beside.skipped[:_MAX_NAMES]]
    shown += ["..."] * (len(beside.skipped) > _MAX_NAMES)
    note = messages.LEFT_BESIDE.format(names=", ".join(shown))
    return replace(graded, reports=tuple(r.with_notes([note]) for r in graded.reports))


def grade_with_retry(grade: Callable[[], Graded]) -> Graded:
    """Grade; once more where the result is in doubt: something else may have ended a process."""
    graded = grade()
    return grade() if graded.is_in_doubt else graded


def grade_or_refuse(grade: Callable[[], Graded], terms: Terms) -> Graded:
    """Grade as `grade_with_retry` does; where the kit fails, say so instead of a mark.

    Raises:
        autograder.model.exercise.RubricError: the rubric is at fault.
    """

    def attempt() -> Graded:
        try:
            return grade()
        except RubricError:
            raise
        except Exception as error:
            log.debug("the kit failed:", exc_info=error)
            return refuse_by_kit(error, terms)

    return grade_with_retry(attempt)
