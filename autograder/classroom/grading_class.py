"""Grading a class: in parallel, resumable, and recorded by nbgrader."""

from __future__ import annotations

import fcntl
import hashlib
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future, as_completed
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from autograder.classroom import messages
from autograder.classroom.assignment import Assignment, ClassError, Task, open_assignments
from autograder.classroom.course_grader import FOLDER, CourseGrader
from autograder.classroom.handover import Handover
from autograder.classroom.jobs import OtherMachineError, grade_job, make_job
from autograder.classroom.marks import points_of_cells
from autograder.classroom.outcome import Outcome
from autograder.classroom.progress import Display
from autograder.classroom.recording import Recorder, RecordingError
from autograder.classroom.staging import clear_leftovers, write_copy
from autograder.grading.store import Graded
from autograder.sandbox import Limits


@contextmanager
def lock_course(course: Path) -> Iterator[None]:
    """Hold the course's lock.

    Raises:
        ClassError: another grader is running.
    """
    path = course / FOLDER / "lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ClassError(messages.OTHER_GRADER.format(course=course)) from None
        yield


def _state_digest(task: Task, graded: Graded) -> str:
    """A digest of everything that the gradebook's rows of a student depend on."""
    reports = [r.to_json() for r in graded.reports]
    # A result depends on the code only; people mark, and see in formgrader, every cell.
    notebook = hashlib.sha256(task.staged.raw).hexdigest()
    files = (notebook, task.staged.timestamp, task.staged.carried.digest)
    text = repr((task.digest, files, task.notes, task.repaired.unreadable, reports))
    return hashlib.sha256(text.encode()).hexdigest()


class _Run:
    """One assignment during a grading run."""

    def __init__(self, assignment: Assignment, display: Display, force: bool) -> None:
        self.assignment = assignment
        self.force = force
        self._display = display
        self._outcomes: dict[str, Outcome] = {}
        self._grader = assignment.grader
        self._staging = self._grader.course / FOLDER / "staging"
        self._recorder: Recorder | None = None

    def open_gradebook(self, db: str | None) -> None:
        recorder = Recorder(self._grader.course, self.assignment.name, self._staging, db)
        recorder.enrol(self.assignment.students, points_of_cells(self.assignment.rubric))
        self._recorder = recorder

    def known(self, task: Task) -> Graded | None:
        """The result of a submission that this run need not grade."""
        if self.force and not task.repaired.unreadable:
            return None
        return self.assignment.known(task)

    def record(self, task: Task, graded: Graded, *, fresh: bool) -> None:
        """Record a result, unless the gradebook holds it."""
        assert self._recorder is not None
        outcome = self.assignment.outcome(task, graded, fresh)
        assert outcome.graded is not None
        state = _state_digest(task, outcome.graded)
        try:
            if self.force or not self._recorder.is_current(outcome.student, state):
                write_copy(self._staging, self.assignment.name, task.staged)
                notes = (*task.staged.notes, *task.staged.review, *task.repaired.notes)
                handover = Handover(task.repaired, notes, outcome.graded)
                self._recorder.record(outcome.student, state, handover)
        except RecordingError as error:
            text = messages.NOT_RECORDED.format(error=error)
            outcome = replace(outcome, review=(*outcome.review, text))
        self._add(outcome.with_recorded(self._recorder.totals(outcome.student)))

    def record_future(self, task: Task, future: Future) -> None:
        """Store and record the result of a job."""
        try:
            graded = Graded.from_json(future.result())
        except OSError:
            raise
        except Exception as error:  # of the grader: no submission is to blame
            self.add_failure(task.staged.student, error, task.staged.review)
            return
        self._grader.store.add(task.digest, graded)
        self.record(task, graded, fresh=True)

    def add_failure(self, student: str, error: Exception, review: Sequence[str] = ()) -> None:
        """Note that grading itself failed."""
        name = "" if isinstance(error, OtherMachineError) else type(error).__name__
        text = messages.GRADER_FAILED.format(error=f"{name}: {error}".lstrip(": "))
        self._add(Outcome(student, None, (*review, text)))

    def _add(self, outcome: Outcome) -> None:
        self._outcomes[outcome.student] = outcome
        self._display.add(self.assignment.name, outcome)

    def outcomes(self) -> list[Outcome]:
        """The outcomes in the order of the students."""
        return [self._outcomes[student] for student in self.assignment.students]


def grade_class(
    grader: CourseGrader,
    assignments: Sequence[str],
    executor: Executor,
    display: Display,
    students: Sequence[str] = (),
    *,
    limits: Limits,
    force: bool = False,
    require_sandbox: bool = False,
    db: str | None = None,
) -> dict[str, list[Outcome]]:
    """Grade the submissions of some assignments and record them in the gradebook.

    Each result is stored as soon as it is there, and nbgrader's single writer records it from the
    store. A run that is killed and started again has the same outcome.

    Args:
        assignments: names of the lessons; default: all that anybody has handed in.
        executor: runs the jobs, which consist of JSON.
        display: shows each outcome as soon as it is recorded.
        students: whose submissions; default: all.
        force: grade and record everything again.
        require_sandbox: refuse to grade where the strongest sandbox does not work.
        db: URL of the gradebook; default: the course's own.

    Returns:
        The outcomes of each assignment.

    Raises:
        ClassError: no such assignment, nothing handed in, or another grader is running.
    """
    with lock_course(grader.course):
        runs = [
            _Run(assignment, display, force)
            for assignment in open_assignments(grader, assignments, students)
        ]
        for run in runs:
            run.assignment.check_source()
        display.begin({run.assignment.name: len(run.assignment.students) for run in runs})
        clear_leftovers(grader.course / FOLDER / "staging")
        submitted: dict[Future, tuple[_Run, Task]] = {}
        known: list[tuple[_Run, Task, Graded]] = []
        unread: list[tuple[_Run, str, Exception]] = []

        def submit(run: _Run, task: Task) -> Future:
            name = task.staged.file
            job = make_job(task.notebook, name, grader.key, limits, require_sandbox)
            future = executor.submit(grade_job, job)
            submitted[future] = run, task
            return future

        try:
            for run in runs:
                for student in run.assignment.students:
                    try:
                        task = run.assignment.task(student)
                        graded = run.known(task)
                    except OSError:
                        raise
                    except Exception as error:  # the other submissions are still graded
                        unread.append((run, student, error))
                        continue
                    if graded is None:
                        submit(run, task)
                    else:
                        known.append((run, task, graded))
            # Opened late, while the jobs run: it takes a second.
            for run in runs:
                run.open_gradebook(db)
            for run, student, error in unread:
                run.add_failure(student, error)
            for run, task, graded in known:
                run.record(task, graded, fresh=False)
            in_doubt = []
            for future in as_completed(list(submitted)):
                run, task = submitted[future]
                if _is_in_doubt(future):
                    in_doubt.append((run, task))
                else:
                    run.record_future(task, future)
            for run, task in in_doubt:  # one at a time, so that no other job disturbs it
                run.record_future(task, submit(run, task))
        finally:
            for future in submitted:
                future.cancel()
        return {run.assignment.name: run.outcomes() for run in runs}


def _is_in_doubt(future: Future) -> bool:
    return future.exception() is None and Graded.from_json(future.result()).is_in_doubt
