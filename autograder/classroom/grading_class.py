"""Grading an assignment of a whole class: in parallel, resumable, then recorded by nbgrader."""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, as_completed
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from autograder.classroom.assignment import ClassError, Task, open_assignment
from autograder.classroom.course_grader import FOLDER, CourseGrader
from autograder.classroom.jobs import OtherMachineError, grade_job, job_of
from autograder.classroom.marks import points_of_cells
from autograder.classroom.outcome import Outcome
from autograder.classroom.recording import Recorder, RecordingError
from autograder.classroom.staging import clear_leftovers, write_copy
from autograder.messages import classroom as messages
from autograder.store import Graded
from autograder.worker import Limits

Tell = Callable[[Outcome], None]


@contextmanager
def one_grader(course: Path) -> Iterator[None]:
    """Hold the course's lock.

    Raises:
        ClassError: another grader is at work.
    """
    path = course / FOLDER / "lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ClassError(messages.OTHER_GRADER.format(course=course)) from None
        yield


def _state(task: Task, graded: Graded) -> str:
    """What the gradebook's rows of a student depend on."""
    reports = [r.to_json() for r in graded.reports]
    text = repr((task.digest, task.staged.timestamp, task.notes, task.unreadable, reports))
    return hashlib.sha256(text.encode()).hexdigest()


def grade_class(
    grader: CourseGrader,
    assignment: str,
    executor: Executor,
    students: Sequence[str] = (),
    *,
    force: bool = False,
    require_sandbox: bool = False,
    limits: Limits | None = None,
    db: str | None = None,
    begin: Callable[[int], None] = lambda count: None,
    tell: Tell = lambda outcome: None,
) -> list[Outcome]:
    """Grade the submissions of an assignment and record them in the gradebook.

    Results go to the course's store as they come; nbgrader's single writer records each from
    there. Killed at any moment and started again, the outcome is the same.

    Args:
        grader: of the course.
        assignment: name of the lesson.
        executor: where submissions are graded; it is handed JSON and bytes.
        students: whose submissions; all by default.
        force: grade again what is in the store, and record again what is recorded.
        require_sandbox: let no machine grade that confines less than the strongest sandbox.
        limits: of each submission's processes.
        db: URL of the gradebook; by default the course's own.
        begin: told how many submissions there are.
        tell: told each outcome as soon as it is recorded.

    Returns:
        Outcomes by student.

    Raises:
        ClassError: no such assignment, nothing handed in, or another grader at work.
    """
    with one_grader(grader.course):
        handed_in = open_assignment(grader, assignment, students)
        handed_in.check_source()
        begin(len(handed_in.students))
        staging = grader.course / FOLDER / "staging"
        clear_leftovers(staging)
        outcomes: dict[str, Outcome] = {}
        waiting: dict[Future, Task] = {}

        def settle(task: Task, graded: Graded, fresh: bool) -> None:
            outcome = handed_in.outcome(task, graded, fresh)
            assert outcome.graded is not None
            try:
                state = _state(task, outcome.graded)
                if force or not recorder.is_current(outcome.student, state):
                    write_copy(staging, assignment, task.staged)
                    recorder.record(outcome.student, state)
            except RecordingError as error:
                text = messages.NOT_RECORDED.format(error=error)
                outcome = replace(outcome, look=(*outcome.look, text))
            outcomes[outcome.student] = outcome
            tell(outcome)

        ready: list[tuple[Task, Graded]] = []
        try:
            for name in handed_in.students:
                task = handed_in.task(name)
                known = handed_in.known(task, force=force)
                if known is not None:
                    ready.append((task, known))
                    continue
                job = job_of(
                    task.notebook,
                    task.staged.file,
                    grader.key,
                    limits or Limits(),
                    require_sandbox=require_sandbox,
                )
                waiting[executor.submit(grade_job, job)] = task
            # Only now, since nbgrader and its gradebook take a second to open.
            recorder = Recorder(grader.course, assignment, staging, db)
            recorder.enrol(handed_in.students, points_of_cells(handed_in.rubric))
            for task, known in ready:
                settle(task, known, fresh=False)
            for future in as_completed(waiting):
                task = waiting[future]
                try:
                    graded = Graded.from_json(future.result())
                except OSError:
                    raise
                except Exception as error:  # the grader's own: no submission is to blame
                    name = "" if isinstance(error, OtherMachineError) else type(error).__name__
                    text = messages.GRADER_FAILED.format(error=f"{name}: {error}".lstrip(": "))
                    outcome = Outcome(task.staged.student, None, (*task.staged.look, text))
                    outcomes[outcome.student] = outcome
                    tell(outcome)
                    continue
                grader.store.add(task.digest, graded)
                settle(task, graded, fresh=True)
        finally:
            for future in waiting:
                future.cancel()
        return [outcomes[name] for name in handed_in.students]


def default_jobs() -> int:
    """One job a core that this process may use."""
    return len(os.sched_getaffinity(0))
