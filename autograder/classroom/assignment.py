"""An assignment of a course: its rubric, its submissions, and their results so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.classroom import messages
from autograder.classroom.course_grader import CourseGrader
from autograder.classroom.marks import changed_points, points_in, points_of_cells
from autograder.classroom.outcome import Outcome, not_showable, reasons_to_review
from autograder.classroom.staging import Staged, assignments_of, find_submission, students_of
from autograder.classroom.totals import Totals
from autograder.core.notebook import Notebook, NotebookNode, cells_of
from autograder.core.rubric import Rubric
from autograder.grading.pipeline import prepare, refuse_unreadable
from autograder.grading.repair import Repaired
from autograder.grading.store import Graded
from autograder.lessons.authoring import released_version
from autograder.lessons.course import the_course


class ClassError(ValueError):
    """An assignment cannot be graded; the message says what to do."""


@dataclass(frozen=True)
class Task:
    """One submission to grade: the files handed in, the notebook, and its key in the store."""

    staged: Staged
    repaired: Repaired
    notebook: Notebook
    digest: str
    notes: tuple[str, ...]


def course_folder(course: Path) -> Path:
    """Return the absolute path of a course folder.

    Raises:
        ClassError: it is not a course folder.
    """
    if not (course / "nbgrader_config.py").is_file():
        raise ClassError(messages.NO_COURSE.format(course=course))
    return course.resolve()


@dataclass(frozen=True)
class Assignment:
    """The submissions for one lesson; each is read when it is needed.

    Attributes:
        grader: of the course.
        name: of the lesson.
        rubric: of the lesson.
        released: the notebook as released to students.
        students: whose submissions these are.
    """

    grader: CourseGrader
    name: str
    rubric: Rubric
    released: NotebookNode
    students: tuple[str, ...]

    def check_source(self) -> None:
        """Check that the course's grade cells have the rubric's points.

        Raises:
            ClassError: the rubric was changed after the course was made; says what to do.
        """
        changed = changed_points(points_in(self.released), points_of_cells(self.rubric))
        if changed:
            where = {"course": self.grader.course, "assignment": self.name}
            raise ClassError(messages.OLD_SOURCE.format(**where, **changed))

    def task(self, student: str) -> Task:
        """Read one student's submission, and fit it to the released version."""
        staged = find_submission(self.grader.course, self.name, student)
        repaired = prepare(staged.raw, staged.file, self.released)
        notebook = Notebook(self.rubric.lesson, cells_of(repaired.notebook))
        digest = self.grader.digest(notebook, self.rubric)
        notes = (*staged.notes, *repaired.notes)
        return Task(staged, repaired, notebook, digest, notes)

    def known(self, task: Task) -> Graded | None:
        """Return the result of a submission that need not be graded (again), if there is one."""
        if task.repaired.unreadable:
            return refuse_unreadable(self.rubric, task.repaired, self.grader.key)
        return self.grader.kept(task.digest)

    def outcome(
        self, task: Task, graded: Graded, fresh: bool, recorded: Totals | None = None
    ) -> Outcome:
        """Add its notes, and what a GPU has measured since, to the result of a submission."""
        graded = replace(self.grader.timed(graded, self.rubric), notes=task.notes)
        review = (*task.staged.review, *reasons_to_review(graded.reports))
        points = points_in(self.released)
        outcome = Outcome(task.staged.student, graded, review, fresh, points=points)
        return outcome.with_recorded(recorded)

    def known_outcomes(self, recorded: Mapping[str, Totals]) -> list[Outcome]:
        """Return the outcome of each student, with the recorded marks, without grading."""
        found = []
        for student in self.students:
            try:
                found.append(self._known_outcome(student, recorded.get(student)))
            except Exception as error:  # the other submissions are still shown
                found.append(not_showable(student, error))
        return found

    def _known_outcome(self, student: str, recorded: Totals | None) -> Outcome:
        task = self.task(student)
        graded = self.known(task) or self.grader.store.get(task.digest)
        if graded is None:
            review = task.staged.review
            return Outcome(student, None, review, fresh=False, why=messages.RUN_GRADE)
        return self.outcome(task, graded, False, recorded)


def _choose(students: Sequence[str], wanted: Sequence[str]) -> list[str]:
    """The students that are wanted; all when nobody is named."""
    strangers = sorted(set(wanted) - set(students))
    if strangers:
        raise ClassError(messages.NOT_HANDED_IN_BY.format(students=", ".join(strangers)))
    return [s for s in students if s in wanted] if wanted else list(students)


def open_assignment(grader: CourseGrader, name: str, students: Sequence[str] = ()) -> Assignment:
    """Open an assignment of a course, with the submissions of some students; default: all.

    Raises:
        ClassError: no such assignment, or nothing handed in.
    """
    released = released_version(grader.course / "source" / name / f"{name}.ipynb")
    if released is None:
        raise ClassError(messages.NO_ASSIGNMENT.format(course=grader.course, assignment=name))
    wanted = _choose(students_of(grader.course, name), students)
    if not wanted:
        raise ClassError(messages.NOTHING_HANDED_IN.format(assignment=name))
    return Assignment(grader, name, the_course().rubric(name), released, tuple(wanted))


def open_assignments(
    grader: CourseGrader, names: Sequence[str], students: Sequence[str] = ()
) -> list[Assignment]:
    """Open several assignments of a course; default: all that anybody has handed in.

    A student need not have handed in every assignment.

    Raises:
        ClassError: no such assignment, or nothing handed in.
    """
    names = list(dict.fromkeys(names))
    if not names:
        found = assignments_of(grader.course)
        names = [name for name in the_course().names() if name in found]
    if not names:
        raise ClassError(messages.NOTHING_AT_ALL.format(course=grader.course))
    if not students or len(names) == 1:
        return [open_assignment(grader, name, students) for name in names]
    there = {name: students_of(grader.course, name) for name in names}
    _choose([student for some in there.values() for student in some], students)
    mine = {name: [s for s in some if s in students] for name, some in there.items()}
    return [open_assignment(grader, name, some) for name, some in mine.items() if some]
