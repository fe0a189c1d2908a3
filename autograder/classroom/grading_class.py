"""Grading a whole class: in parallel, resumable, then recorded by nbgrader."""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, as_completed
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from autograder.classroom import messages
from autograder.classroom.assignment import Assignment, ClassError, Task, open_assignments
from autograder.classroom.course_grader import FOLDER, CourseGrader
from autograder.classroom.handover import Handover
from autograder.classroom.jobs import OtherMachineError, grade_job, job_of
from autograder.classroom.marks import points_of_cells
from autograder.classroom.outcome import Outcome
from autograder.classroom.recording import Recorder, RecordingError
from autograder.classroom.staging import clear_leftovers, write_copy
from autograder.grading.store import Graded
from autograder.sandbox import Limits

Begin = Callable[[Mapping[str, int]], None]
Tell = Callable[[str, Outcome], None]


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
    # A result depends on the code alone; what people mark, and see in formgrader, on every cell.
    notebook = hashlib.sha256(task.staged.raw).hexdigest()
    files = (notebook, task.staged.timestamp, task.staged.carried.digest)
    text = repr((task.digest, files, task.notes, task.repaired.unreadable, reports))
    return hashlib.sha256(text.encode()).hexdigest()


class _Class:
    """One assignment on its way from what was handed in to the gradebook."""

    def __init__(self, handed_in: Assignment, force: bool) -> None:
        self.handed_in = handed_in
        self.outcomes: dict[str, Outcome] = {}
        self._grader = handed_in.grader
        self._force = force
        self._staging = self._grader.course / FOLDER / "staging"
        self._recorder: Recorder | None = None

    def open_gradebook(self, db: str | None) -> None:
        recorder = Recorder(self._grader.course, self.handed_in.name, self._staging, db)
        recorder.enrol(self.handed_in.students, points_of_cells(self.handed_in.rubric))
        self._recorder = recorder

    def settle(self, task: Task, graded: Graded, *, fresh: bool) -> Outcome:
        """Record a result, unless the gradebook holds it."""
        assert self._recorder is not None
        outcome = self.handed_in.outcome(task, graded, fresh)
        assert outcome.graded is not None
        state = _state(task, outcome.graded)
        try:
            if self._force or not self._recorder.is_current(outcome.student, state):
                write_copy(self._staging, self.handed_in.name, task.staged)
                notes = (*task.staged.notes, *task.staged.look, *task.repaired.notes)
                handover = Handover(task.repaired, notes, outcome.graded)
                self._recorder.record(outcome.student, state, handover)
        except RecordingError as error:
            text = messages.NOT_RECORDED.format(error=error)
            outcome = replace(outcome, look=(*outcome.look, text))
        return self._keep(outcome.with_recorded(self._recorder.totals(outcome.student)))

    def settle_future(self, task: Task, future: Future) -> Outcome:
        """Keep and record what a job came to."""
        try:
            graded = Graded.from_json(future.result())
        except OSError:
            raise
        except Exception as error:  # the grader's own: no submission is to blame
            return self.fail(task.staged.student, error, task.staged.look)
        self._grader.store.add(task.digest, graded)
        return self.settle(task, graded, fresh=True)

    def fail(self, student: str, error: Exception, look: Sequence[str] = ()) -> Outcome:
        """Keep that grading itself failed."""
        name = "" if isinstance(error, OtherMachineError) else type(error).__name__
        text = messages.GRADER_FAILED.format(error=f"{name}: {error}".lstrip(": "))
        return self._keep(Outcome(student, None, (*look, text)))

    def _keep(self, outcome: Outcome) -> Outcome:
        self.outcomes[outcome.student] = outcome
        return outcome


def grade_class(
    grader: CourseGrader,
    assignments: Sequence[str],
    executor: Executor,
    students: Sequence[str] = (),
    *,
    force: bool = False,
    require_sandbox: bool = False,
    limits: Limits | None = None,
    db: str | None = None,
    begin: Begin = lambda counts: None,
    tell: Tell = lambda assignment, outcome: None,
) -> dict[str, list[Outcome]]:
    """Grade the submissions of some assignments and record them in the gradebook.

    Results go to the course's store as they come; nbgrader's single writer records each from
    there. Killed at any moment and started again, the outcome is the same.

    Args:
        grader: of the course.
        assignments: names of the lessons; when there is none, all that anybody has handed in.
        executor: where submissions are graded; it is handed JSON and bytes.
        students: whose submissions; all by default.
        force: grade again what is in the store, and record again what is recorded.
        require_sandbox: let no machine grade that confines less than the strongest sandbox.
        limits: of each submission's processes.
        db: URL of the gradebook; by default the course's own.
        begin: told how many submissions each assignment has.
        tell: told each assignment's outcomes as soon as they are recorded.

    Returns:
        For each assignment, outcomes by student.

    Raises:
        ClassError: no such assignment, nothing handed in, or another grader at work.
    """
    with one_grader(grader.course):
        classes = [
            _Class(handed_in, force)
            for handed_in in open_assignments(grader, assignments, students)
        ]
        for one in classes:
            one.handed_in.check_source()
        begin({one.handed_in.name: len(one.handed_in.students) for one in classes})
        clear_leftovers(grader.course / FOLDER / "staging")
        waiting: dict[Future, tuple[_Class, Task]] = {}
        ready: list[tuple[_Class, Task, Graded]] = []

        def submit(one: _Class, task: Task) -> Future:
            job = job_of(
                task.notebook,
                task.staged.file,
                grader.key,
                limits or Limits(),
                require_sandbox=require_sandbox,
            )
            future = executor.submit(grade_job, job)
            waiting[future] = one, task
            return future

        unread: list[tuple[_Class, Outcome]] = []
        try:
            for one in classes:
                for name in one.handed_in.students:
                    try:
                        task = one.handed_in.task(name)
                        known = one.handed_in.known(task, force=force)
                    except OSError:
                        raise
                    except Exception as error:  # the others are graded
                        unread.append((one, one.fail(name, error)))
                        continue
                    if known is not None:
                        ready.append((one, task, known))
                    else:
                        submit(one, task)
            # Only now, since nbgrader and its gradebook take a second to open.
            for one in classes:
                one.open_gradebook(db)
            for one, outcome in unread:
                tell(one.handed_in.name, outcome)
            for one, task, known in ready:
                tell(one.handed_in.name, one.settle(task, known, fresh=False))
            in_doubt = []
            for future in as_completed(list(waiting)):
                if _is_in_doubt(future):
                    in_doubt.append(waiting[future])
                    continue
                one, task = waiting[future]
                tell(one.handed_in.name, one.settle_future(task, future))
            for one, task in in_doubt:  # one at a time: now there are no neighbours
                tell(one.handed_in.name, one.settle_future(task, submit(one, task)))
        finally:
            for future in waiting:
                future.cancel()
        return {
            one.handed_in.name: [one.outcomes[name] for name in one.handed_in.students]
            for one in classes
        }


def _is_in_doubt(future: Future) -> bool:
    return future.exception() is None and Graded.from_json(future.result()).is_in_doubt


def default_jobs() -> int:
    """One job a core that this process may use."""
    return len(os.sched_getaffinity(0))
