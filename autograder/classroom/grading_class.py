"""Grading a class: in parallel, resumable, and recorded by nbgrader."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import replace

from autograder.classroom import messages
from autograder.classroom.assignment import Assignment, Task, open_assignments
from autograder.classroom.course_folder import FOLDER, lock_course
from autograder.classroom.course_grader import CourseGrader
from autograder.classroom.jobs import OtherMachineError, grade_job, make_job
from autograder.classroom.lms.roster import Roster
from autograder.classroom.outcome import Outcome, make_showable
from autograder.classroom.progress import Display
from autograder.classroom.recording import Handover, Recorder, RecordingError
from autograder.classroom.staging import clear_leftovers, write_copy
from autograder.model.graded import Graded

READ_AHEAD = 100
"""Number of submissions that are read before their turn to be recorded; memory holds no more."""

STAGING = FOLDER / "staging"


def _state_digest(task: Task, graded: Graded) -> str:
    """Return the digest of all that the gradebook's rows of a student depend on."""
    reports = [r.to_json() for r in graded.reports]
    # A result depends on the code only; people mark, and see in formgrader, every cell.
    notebook = hashlib.sha256(task.staged.raw).hexdigest()
    files = (notebook, task.staged.timestamp, task.staged.carried.digest)
    # A submission that limits alone confined may have changed what the gradebook holds.
    result = (task.digest, graded.confined_by)
    said = task.notes, task.staged.review
    text = repr((result, files, said, task.repaired.unreadable, reports))
    return hashlib.sha256(text.encode()).hexdigest()


class _Run:
    """One assignment during a grading run."""

    def __init__(self, assignment: Assignment, display: Display, force: bool) -> None:
        self.assignment = assignment
        self.outcomes: dict[str, Outcome] = {}
        self._display = display
        self._force = force
        self._grader = assignment.grader
        self._staging = self._grader.course / STAGING
        self._recorder: Recorder | None = None

    def open_gradebook(self, db: str | None, roster: Roster | None) -> None:
        recorder = Recorder(self._grader.course, self.assignment.name, self._staging, db)
        recorder.enrol(self.assignment.students, self.assignment.points, roster)
        self._recorder = recorder

    def find_result(self, task: Task) -> Graded | None:
        """Return the result of a submission that this run need not grade."""
        if self._force and not task.repaired.unreadable:
            return None
        return self.assignment.find_result(task)

    def record_new(self, task: Task, future: Future) -> None:
        """Store and record the result of a job."""
        try:
            graded = Graded.from_json(future.result())
        except OSError:
            raise
        except Exception as error:  # of the grader: no submission is to blame
            self.add_failure(task.staged.student, error, task.staged.review)
            return
        self._grader.keep_result(task.digest, graded)
        self.record(task, graded, fresh=True)

    def record(self, task: Task, graded: Graded, *, fresh: bool) -> None:
        """Record a result, unless the gradebook holds it."""
        assert self._recorder is not None
        outcome = self.assignment.outcome(task, graded, fresh)
        assert outcome.graded is not None
        state = _state_digest(task, outcome.graded)
        try:
            if self._force or not self._recorder.is_current(outcome.student, state):
                write_copy(self._staging, self.assignment.name, task.staged)
                staged = task.staged
                own = (*self._grader.notes, *staged.notes, *staged.review)
                notes = (*own, *task.repaired.notes)
                handover = Handover(task.repaired, notes, outcome.graded, bool(staged.doubts))
                self._recorder.record(outcome.student, state, handover)
        except RecordingError as error:
            text = messages.NOT_RECORDED.format(error=error)
            outcome = replace(outcome, review=(*outcome.review, text))
        self._add(outcome.with_recorded(self._recorder.totals.get(outcome.student)))

    def add_failure(self, student: str, error: Exception, review: Sequence[str] = ()) -> None:
        """Note that grading itself failed."""
        name = "" if isinstance(error, OtherMachineError) else type(error).__name__
        text = messages.GRADER_FAILED.format(error=f"{name}: {error}".lstrip(": "))
        self._add(Outcome(student, None, (*review, text)))

    def _add(self, outcome: Outcome) -> None:
        self.outcomes[outcome.student] = make_showable(outcome)
        self._display.add(self.assignment.name, self.outcomes[outcome.student])


def grade_class(
    grader: CourseGrader,
    assignments: Sequence[str],
    executor: Executor,
    display: Display,
    students: Sequence[str] = (),
    *,
    force: bool = False,
    db: str | None = None,
    roster: Roster | None = None,
) -> dict[str, list[Outcome]]:
    """Grade the submissions of some assignments and record them in the gradebook.

    Each result is stored as soon as it arrives, and then recorded by nbgrader's single writer. A
    run that is killed and started again has the same outcome.

    Args:
        grader: of the course.
        assignments: names of the lessons; default: all that anybody has handed in.
        executor: runs the jobs, which consist of JSON.
        display: shows each outcome as soon as it is recorded.
        students: whose submissions; default: all.
        force: grade and record everything again.
        db: URL of the gradebook; default: the course's own.
        roster: who has more time; default: what the gradebook says stays.

    Returns:
        The outcomes of each assignment, in the order of the students.

    Raises:
        ClassError: no such assignment, nothing handed in, another grader is running, or the
            roster does not fit a due date.
    """
    with lock_course(grader.course):
        runs = [_Run(a, display, force) for a in open_assignments(grader, assignments, students)]
        for run in runs:
            run.assignment.check_source()
        display.begin([len(run.assignment.students) for run in runs])
        clear_leftovers(grader.course / STAGING)
        everybody = iter([(run, student) for run in runs for student in run.assignment.students])
        # A submission is read shortly before its turn, and dropped once it is recorded.
        waiting: dict[Future, tuple[_Run, Task, bool]] = {}
        in_doubt: list[tuple[_Run, str]] = []

        def submit(run: _Run, task: Task) -> Future:
            key = grader.key_of(run.assignment.rubric, task.staged.student)
            job = make_job(task.notebook, task.staged.file, key, grader.accepted, grader.lessons)
            return executor.submit(grade_job, job)

        def read_ahead() -> None:
            for run, student in everybody:  # from where the last call stopped
                try:
                    task = run.assignment.task(student)
                    known = run.find_result(task)
                except OSError:
                    raise
                except Exception as error:  # the other submissions are still graded
                    run.add_failure(student, error)
                    continue
                future = Future() if known else submit(run, task)
                if known:
                    future.set_result(known)
                waiting[future] = run, task, bool(known)
                if len(waiting) >= READ_AHEAD:
                    return

        try:
            read_ahead()
            # Opened late, while the jobs run: it takes a second.
            for run in runs:
                run.open_gradebook(db, roster)
            while waiting:
                for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                    run, task, is_known = waiting.pop(future)
                    if is_known:
                        run.record(task, future.result(), fresh=False)
                    elif _is_in_doubt(future):
                        in_doubt.append((run, task.staged.student))
                    else:
                        run.record_new(task, future)
                    read_ahead()
            for run, student in in_doubt:  # one at a time, so that no other job disturbs it
                task = run.assignment.task(student)
                run.record_new(task, submit(run, task))
        finally:
            for future in waiting:
                future.cancel()
        return {
            run.assignment.name: [run.outcomes[student] for student in run.assignment.students]
            for run in runs
        }


def _is_in_doubt(future: Future) -> bool:
    return future.exception() is None and Graded.from_json(future.result()).is_in_doubt
