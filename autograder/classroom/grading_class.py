"""Grading a class: in parallel, resumable, and recorded by nbgrader.

A submission is graded in a thread of this process, or on another machine of a cluster. The judge
and the workers' processes are kept from one submission to the next.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice

from autograder.classroom import messages
from autograder.classroom.assignment import Assignment, Start, Task
from autograder.classroom.cluster import OtherMachineError
from autograder.classroom.course_config import lock_course
from autograder.classroom.gradebook import Recorder, RecordingError
from autograder.classroom.handed_in import clear_leftovers, write_copy
from autograder.classroom.marks import Outcome, make_showable
from autograder.classroom.roster import Roster
from autograder.classroom.table import Display
from autograder.judge.client import shared_class_judge
from autograder.model.graded import Graded

READ_AHEAD = 100
"""Number of submissions that are read before their turn to be recorded; memory holds no more."""


@contextmanager
def open_threads(count: int) -> Iterator[Start]:
    """Open threads of this process. Its judges end with them."""
    judges = shared_class_judge()
    try:
        with ThreadPoolExecutor(count, "grading") as pool:
            yield lambda assignment, task: pool.submit(assignment.run, task)
    finally:
        judges.close()


@dataclass(frozen=True)
class _Turn:
    """A submission that was read and is not recorded yet.

    Attributes:
        run: of its assignment.
        task: the submission.
        future: gives its result, or raises what grading has raised.
        is_known: whether the result was known already.
    """

    run: _Run
    task: Task
    future: Future[Graded]
    is_known: bool

    @property
    def is_in_doubt(self) -> bool:
        """Whether the result must be found again, with no other job beside it."""
        is_new = not self.is_known and self.future.exception() is None
        return is_new and self.future.result().is_in_doubt


class _Run:
    """One assignment during a grading run; its recorder is set late, while the jobs run."""

    recorder: Recorder

    def __init__(self, assignment: Assignment, display: Display, force: bool) -> None:
        self.assignment = assignment
        self.outcomes: dict[str, Outcome] = {}
        self._display = display
        self._force = force

    def begin(self, student: str, start: Start) -> _Turn | None:
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
            return self._start(task, start)
        future: Future[Graded] = Future()
        future.set_result(known)
        return _Turn(self, task, future, is_known=True)

    def _start(self, task: Task, start: Start) -> _Turn:
        return _Turn(self, task, start(self.assignment, task), is_known=False)

    def finish(self, turn: _Turn) -> None:
        """Store and record the result of a submission."""
        try:
            graded = turn.future.result()
        except OSError:
            raise
        except Exception as error:  # of the grader: no submission is to blame
            staged = turn.task.staged
            self._add_failure(staged.student, error, staged.review)
            return
        if not turn.is_known:
            self.assignment.grader.keep_result(turn.task.digest, graded)
        self._record(turn.task, graded, fresh=not turn.is_known)

    def repeat(self, student: str, start: Start) -> None:
        """Grade a submission again, and record it."""
        self.finish(self._start(self.assignment.task(student), start))

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
    start: Start,
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
        start: where they are graded, here or elsewhere.
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
        turns = filter(None, (run.begin(student, start) for run, student in all_students))
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
                run.repeat(student, start)
        finally:
            for future in waiting:
                future.cancel()
    return {
        run.assignment.name: [run.outcomes[student] for student in run.assignment.students]
        for run in runs
    }
