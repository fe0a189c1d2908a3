"""Grading a class: in parallel, resumable, and recorded by nbgrader.

A submission is graded in a thread of this process, or on another machine of a cluster. The judge
and the workers' processes are kept from one submission to the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import replace
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
    judges.launch()
    try:
        with ThreadPoolExecutor(count, "grading") as pool:
            yield lambda assignment, task: pool.submit(assignment.run, task)
    finally:
        judges.close()


class _Run:
    """One assignment during a grading run."""

    def __init__(
        self, assignment: Assignment, display: Display, roster: Roster | None, force: bool
    ) -> None:
        self.assignment = assignment
        self.outcomes: dict[str, Outcome] = {}
        self._recorder = Recorder(assignment, roster)
        self._display = display
        self._force = force

    def begin(self, student: str) -> Task | None:
        """Read a submission whose result is not known.

        Returns None where there is nothing to wait for: a known result is recorded at once, and
        what cannot be read is noted.
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
        if known is not None:
            self._record(task, known, fresh=False)
            return None
        return task

    def finish(self, task: Task, future: Future[Graded]) -> None:
        """Store and record the result of a submission."""
        try:
            graded = future.result()
        except OSError:
            raise
        except Exception as error:  # of the grader: no submission is to blame
            self._add_failure(task.staged.student, error, task.staged.review)
            return
        self.assignment.grader.keep_result(task.digest, graded)
        self._record(task, graded, fresh=True)

    def _record(self, task: Task, graded: Graded, *, fresh: bool) -> None:
        """Record a result, unless the gradebook holds it."""
        outcome = self.assignment.outcome(task, graded, fresh)
        assert outcome.graded is not None
        try:
            if self._force or not self._recorder.is_current(task, outcome.graded):
                course = self.assignment.grader.course
                write_copy(course, self.assignment.name, task.staged)
                self._recorder.record(task, outcome.graded)
        except RecordingError as error:
            text = messages.NOT_RECORDED.format(error=error)
            outcome = replace(outcome, review=(*outcome.review, text))
        self._add(outcome.with_recorded(self._recorder.totals.get(outcome.student)))

    def _add_failure(self, student: str, error: Exception, review: Sequence[str] = ()) -> None:
        """Note that grading itself failed."""
        name = "" if isinstance(error, OtherMachineError) else type(error).__name__
        text = messages.GRADER_FAILED.format(error=f"{name}: {error}".lstrip(": "))
        self._add(Outcome(student, None, (*review, text)))

    def _add(self, outcome: Outcome) -> None:
        self.outcomes[outcome.student] = make_showable(outcome)
        self._display.add(self.assignment.name, self.outcomes[outcome.student])


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
    with lock_course(course):
        for assignment in assignments:
            assignment.check_source()
        clear_leftovers(course)
        runs = [_Run(assignment, display, roster, force) for assignment in assignments]
        # A submission is read shortly before its turn, and dropped once it is recorded.
        all_students = ((run, student) for run in runs for student in run.assignment.students)
        tasks = ((run, task) for run, student in all_students if (task := run.begin(student)))
        jobs = ((start(run.assignment, task), (run, task)) for run, task in tasks)
        waiting: dict[Future[Graded], tuple[_Run, Task]] = {}
        in_doubt: list[tuple[_Run, str]] = []
        try:
            waiting |= islice(jobs, READ_AHEAD)
            while waiting:
                for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                    run, task = waiting.pop(future)
                    if future.exception() is None and future.result().is_in_doubt:
                        in_doubt.append((run, task.staged.student))
                    else:
                        run.finish(task, future)
                    waiting |= islice(jobs, 1)
            for run, student in in_doubt:  # one at a time, so that no other job disturbs it
                task = run.assignment.task(student)
                run.finish(task, start(run.assignment, task))
        finally:
            for future in waiting:
                future.cancel()
    return {
        run.assignment.name: [run.outcomes[student] for student in run.assignment.students]
        for run in runs
    }
