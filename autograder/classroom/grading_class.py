"""Grading a class: in parallel, resumable, and recorded by nbgrader.

A submission is graded in a thread of this process, or on another machine of a cluster. The judge
and the workers' processes are kept from one submission to the next.
"""

from __future__ import annotations

import hashlib
import socket
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import asdict, dataclass, replace
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from autograder.classroom import messages
from autograder.classroom.assignment import Assignment, Task
from autograder.classroom.course_config import lock_course
from autograder.classroom.course_grader import why_refused
from autograder.classroom.gradebook import Recorder, RecordingError
from autograder.classroom.handed_in import clear_leftovers, write_copy
from autograder.classroom.marks import Outcome, make_showable
from autograder.classroom.roster import Roster
from autograder.classroom.table import Display
from autograder.criteria.speed.bundle import digest_of
from autograder.grading.pipeline import grade_notebook
from autograder.grading.store import engine_digest
from autograder.judge.client import JudgePool
from autograder.lessons.course import LessonError, course_with
from autograder.model.exercise import RubricError
from autograder.model.graded import Graded
from autograder.model.notebook import Beside, Cell, Defence, Notebook
from autograder.model.rubric import Rubric
from autograder.model.terms import Terms
from autograder.sandbox import Protection, protection

READ_AHEAD = 100
"""Number of submissions that are read before their turn to be recorded; memory holds no more."""

judges = JudgePool()


# --- one submission, here or on another machine ---------------------------------------------------


class OtherMachineError(RuntimeError):
    """A machine of the cluster must not grade; the message says why."""


def _kit(rubric: Rubric) -> str:
    """What a result depends on besides the submission and the key."""
    solutions = rubric.reference_solutions
    cells = [cell for name in sorted(solutions) for cell in solutions[name]]
    return f"{engine_digest()} {rubric.digest} {digest_of(cells)}"


def shared_by_jobs(assignment: Assignment) -> dict[str, Any]:
    """Return what all jobs of an assignment say: JSON, which other versions can read, too."""
    grader = assignment.grader
    return {
        "kit": _kit(assignment.rubric),
        "lessons": [str(root) for root in grader.lessons.own_roots()],
        "accepted": [str(one) for one in grader.accepted],
    }


@lru_cache(maxsize=32)
def _find_rubric(lessons: tuple[str, ...], name: str, kit: str) -> Rubric:
    """Return a rubric as it is on this machine, where it is the one that the sender has."""
    machine = socket.gethostname()
    try:
        rubric = course_with([Path(root) for root in lessons]).rubric(name)
    except (LessonError, RubricError) as error:
        text = messages.OTHER_LESSONS.format(machine=machine, error=error)
        raise OtherMachineError(text) from None
    if kit != _kit(rubric):
        raise OtherMachineError(messages.OTHER_KIT.format(machine=machine))
    return rubric


def grade_job(job: dict[str, Any]) -> dict[str, Any]:
    """Grade one submission, and return what `Graded.to_json` gives.

    Args:
        job: what `shared_by_jobs` gives, the submission's file and notebook, and the key.

    Raises:
        OtherMachineError: this machine has another version of the kit than the one that sent
            the job, lacks the lessons, or confines submissions less than accepted.
    """
    rubric = _find_rubric(tuple(job["lessons"]), job["lesson"], job["kit"])
    strength = protection()
    reason = why_refused(strength, [Protection(one) for one in job["accepted"]])
    if reason:
        text = messages.WEAK_MACHINE.format(machine=socket.gethostname(), reason=reason)
        raise OtherMachineError(text)
    cells, asked = tuple(Cell(**cell) for cell in job["cells"]), job["defence"]
    carried, skipped = (tuple(map(tuple, job["beside"][k])) for k in ("carried", "skipped"))
    beside = Beside(carried, skipped)
    notebook = Notebook(rubric.lesson, cells, asked and Defence(**asked), job["saved_with"], beside)
    graded = grade_notebook(notebook, job["name"], Terms(rubric, judges, job["key"]))
    return replace(graded, confined_by=str(strength)).to_json()


# --- a run ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Turn:
    """A submission that was read and is not recorded yet.

    Attributes:
        run: of its assignment.
        task: the submission.
        future: of a job; or of the result that is known already.
        is_known: whether the future holds that.
    """

    run: _Run
    task: Task
    future: Future
    is_known: bool

    @cached_property
    def graded(self) -> Graded:
        """The result; it raises what the job has raised."""
        result = self.future.result()
        return result if self.is_known else Graded.from_json(result)

    @property
    def is_in_doubt(self) -> bool:
        """Whether the job's result must be found again, with no other job beside it."""
        is_new = not self.is_known and self.future.exception() is None
        return is_new and self.graded.is_in_doubt


class _Run:
    """One assignment during a grading run; its recorder is set late, while the jobs run."""

    recorder: Recorder

    def __init__(self, assignment: Assignment, display: Display, force: bool) -> None:
        self.assignment = assignment
        self.outcomes: dict[str, Outcome] = {}
        self._shared = shared_by_jobs(assignment)
        self._display = display
        self._force = force

    def begin(self, student: str, executor: Executor) -> _Turn | None:
        """Read a submission, and start a job where its result is not known.

        Returns None where it cannot be read, which is noted.
        """
        try:
            task = self.assignment.task(student)
            ask_store = not self._force or task.repaired.unreadable
            known = self.assignment.find_result(task) if ask_store else None
        except OSError:
            raise
        except Exception as error:  # the other submissions are still graded
            self._add_failure(student, error)
            return None
        if known is None:
            return self._start(task, executor)
        future: Future = Future()
        future.set_result(known)
        return _Turn(self, task, future, is_known=True)

    def _start(self, task: Task, executor: Executor) -> _Turn:
        key = self.assignment.grader.key_of(self.assignment.rubric, task.staged.student)
        job = {**self._shared, "name": task.staged.file, "key": key, **asdict(task.notebook)}
        future = executor.submit(grade_job, job)
        return _Turn(self, task, future, is_known=False)

    def finish(self, turn: _Turn) -> None:
        """Store and record the result of a submission."""
        try:
            graded = turn.graded
        except OSError:
            raise
        except Exception as error:  # of the grader: no submission is to blame
            staged = turn.task.staged
            self._add_failure(staged.student, error, staged.review)
            return
        if not turn.is_known:
            self.assignment.grader.keep_result(turn.task.digest, graded)
        self._record(turn.task, graded, fresh=not turn.is_known)

    def repeat(self, student: str, executor: Executor) -> None:
        """Grade a submission again, and record it."""
        self.finish(self._start(self.assignment.task(student), executor))

    def _record(self, task: Task, graded: Graded, *, fresh: bool) -> None:
        """Record a result, unless the gradebook holds it."""
        outcome = self.assignment.outcome(task, graded, fresh)
        assert outcome.graded is not None
        state, staged = _state_digest(task, outcome.graded), task.staged
        try:
            if self._force or not self.recorder.is_current(outcome.student, state):
                write_copy(self.assignment.grader.course, self.assignment.name, staged)
                self.recorder.record(state, task, outcome.graded)
        except RecordingError as error:
            text = messages.NOT_RECORDED.format(error=error)
            outcome = replace(outcome, review=(*outcome.review, text))
        self._add(outcome.with_recorded(self.recorder.totals.get(outcome.student)))

    def _add_failure(self, student: str, error: Exception, review: Sequence[str] = ()) -> None:
        """Note that grading itself failed."""
        name = "" if isinstance(error, OtherMachineError) else type(error).__name__
        text = messages.GRADER_FAILED.format(error=f"{name}: {error}".lstrip(": "))
        self._add(Outcome(student, None, (*review, text)))

    def _add(self, outcome: Outcome) -> None:
        self.outcomes[outcome.student] = make_showable(outcome)
        self._display.add(self.assignment.name, self.outcomes[outcome.student])


def _state_digest(task: Task, graded: Graded) -> str:
    """Return the digest of all that the gradebook's rows of a student depend on."""
    reports = [r.to_json() for r in graded.reports]
    # A result depends on the code only; people mark, and see in formgrader, every cell.
    notebook = hashlib.sha256(task.staged.raw).hexdigest()
    files = (notebook, task.staged.timestamp, task.staged.carried)
    # A submission that limits alone confined may have changed what the gradebook holds.
    result = (task.digest, graded.confined_by)
    texts = task.notes, task.staged.review
    state = repr((result, files, texts, task.repaired.unreadable, reports))
    return hashlib.sha256(state.encode()).hexdigest()


def grade_class(
    assignments: Sequence[Assignment],
    executor: Executor,
    display: Display,
    *,
    force: bool = False,
    roster: Roster | None = None,
) -> dict[str, list[Outcome]]:
    """Grade the submissions of some assignments and record them in the gradebook.

    Each result is stored as soon as it arrives, and then recorded by nbgrader's single writer. A
    run that is killed and started again has the same outcome.

    Args:
        assignments: of one course, with the students whose submissions are graded.
        executor: runs the jobs, which consist of JSON.
        display: shows each outcome as soon as it is recorded.
        force: grade and record everything again.
        roster: who has more time; default: what the gradebook says stays.

    Returns:
        The outcomes of each assignment, in the order of the students.

    Raises:
        ClassError: another grader is running, the points in the course's notebooks or in its
            gradebook are out of date, or the roster does not fit a due date.
    """
    course = assignments[0].grader.course
    runs = [_Run(assignment, display, force) for assignment in assignments]
    with lock_course(course):
        for assignment in assignments:
            assignment.check_source()
        clear_leftovers(course)
        # A submission is read shortly before its turn, and dropped once it is recorded.
        all_students = ((run, student) for run in runs for student in run.assignment.students)
        turns = filter(None, (run.begin(student, executor) for run, student in all_students))
        waiting = {turn.future: turn for turn in islice(turns, READ_AHEAD)}
        in_doubt: list[tuple[_Run, str]] = []
        try:
            # Opened late, while the jobs run: it takes a second.
            for run in runs:
                run.recorder = Recorder(run.assignment, roster)
            while waiting:
                for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                    turn = waiting.pop(future)
                    if turn.is_in_doubt:
                        in_doubt.append((turn.run, turn.task.staged.student))
                    else:
                        turn.run.finish(turn)
                    waiting |= {turn.future: turn for turn in islice(turns, 1)}
            for run, student in in_doubt:  # one at a time, so that no other job disturbs it
                run.repeat(student, executor)
        finally:
            for future in waiting:
                future.cancel()
    return {
        run.assignment.name: [run.outcomes[student] for student in run.assignment.students]
        for run in runs
    }
