"""An assignment of a course: its rubric, what was handed in, and what is known of it by now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.classroom import messages
from autograder.classroom.course_grader import CourseGrader
from autograder.classroom.marks import changed_points, points_in, points_of_cells
from autograder.classroom.outcome import Outcome, reasons_to_look
from autograder.classroom.showable import unshown
from autograder.classroom.staging import (
    Staged,
    assignments_of,
    chosen,
    find_submission,
    students_of,
)
from autograder.classroom.totals import Totals
from autograder.core.notebook import Notebook, NotebookNode, cells_of
from autograder.core.rubric import Rubric
from autograder.grading.pipeline import prepare, refuse
from autograder.grading.repair import Repaired
from autograder.grading.store import Graded
from autograder.lessons.authoring import released_version
from autograder.lessons.course import the_course


class ClassError(ValueError):
    """An assignment that cannot be graded; the message says what to do."""


@dataclass(frozen=True)
class Task:
    """One submission on its way: what was handed in, and what its result is filed under."""

    staged: Staged
    repaired: Repaired
    notebook: Notebook
    digest: str
    notes: tuple[str, ...]


def course_folder(course: Path) -> Path:
    """The absolute path of a course folder.

    Raises:
        ClassError: it is none.
    """
    if not (course / "nbgrader_config.py").is_file():
        raise ClassError(messages.NO_COURSE.format(course=course))
    return course.resolve()


@dataclass(frozen=True)
class Assignment:
    """What was handed in for one lesson, read when it is asked for.

    Attributes:
        grader: of the course.
        name: of the lesson.
        rubric: of the lesson.
        released: the notebook as students were given it.
        students: those who handed something in, or those of them who were asked for.
    """

    grader: CourseGrader
    name: str
    rubric: Rubric
    released: NotebookNode
    students: tuple[str, ...]

    def check_source(self) -> None:
        """Whether the course's grade cells have the rubric's points.

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

    def known(self, task: Task, *, force: bool = False) -> Graded | None:
        """The result that needs no grading: it is in the store, or nothing can be read."""
        if task.repaired.unreadable:
            reason = task.repaired.unreadable
            return refuse(self.rubric, "unreadable-notebook", reason, self.grader.key)
        return None if force else self.grader.kept(task.digest)

    def outcome(
        self, task: Task, graded: Graded, fresh: bool, recorded: Totals | None = None
    ) -> Outcome:
        """What becomes of a submission: with its notes, and with what a GPU has measured since.

        Args:
            task: the submission.
            graded: what the store holds of it.
            fresh: whether it was graded now.
            recorded: what the gradebook holds of it.
        """
        noted = replace(self.grader.timed(graded, self.rubric), notes=task.notes)
        look = (*task.staged.look, *reasons_to_look(noted))
        points = points_in(self.released)
        outcome = Outcome(task.staged.student, noted, look, fresh, points=points)
        return outcome.with_recorded(recorded)

    def known_outcomes(self, recorded: Mapping[str, Totals]) -> list[Outcome]:
        """Outcomes by student, without grading anything.

        Args:
            recorded: by student, what the gradebook holds.
        """
        found = []
        for student in self.students:
            try:
                found.append(self._known_outcome(student, recorded.get(student)))
            except Exception as error:  # of one submission: the others are shown
                found.append(unshown(student, error))
        return found

    def _known_outcome(self, student: str, recorded: Totals | None) -> Outcome:
        task = self.task(student)
        graded = self.known(task) or self.grader.store.get(task.digest)
        if graded is None:
            look = task.staged.look
            return Outcome(student, None, look, fresh=False, why=messages.RUN_GRADE)
        return self.outcome(task, graded, False, recorded)


def _chosen(there: list[str], wanted: Sequence[str]) -> list[str]:
    try:
        return chosen(there, wanted)
    except ValueError as error:
        raise ClassError(str(error)) from None


def open_assignment(grader: CourseGrader, name: str, students: Sequence[str] = ()) -> Assignment:
    """What was handed in for an assignment.

    Args:
        grader: of the course.
        name: of the lesson.
        students: whose submissions; all by default.

    Raises:
        ClassError: no such assignment, or nothing handed in.
    """
    released = released_version(grader.course / "source" / name / f"{name}.ipynb")
    if released is None:
        raise ClassError(messages.NO_ASSIGNMENT.format(course=grader.course, assignment=name))
    wanted = _chosen(students_of(grader.course, name), students)
    if not wanted:
        raise ClassError(messages.NOTHING_HANDED_IN.format(assignment=name))
    return Assignment(grader, name, the_course().rubric(name), released, tuple(wanted))


def open_assignments(
    grader: CourseGrader, names: Sequence[str], students: Sequence[str] = ()
) -> list[Assignment]:
    """What was handed in for some assignments, each opened as by `open_assignment`.

    Args:
        grader: of the course.
        names: of the lessons; when there is none, all that anybody has handed in.
        students: whose submissions; all by default. With several assignments, nobody need have
            handed in all of them.

    Raises:
        ClassError: no such assignment, or nothing handed in.
    """
    names = list(dict.fromkeys(names))
    if not names:
        found = assignments_of(grader.course)
        names = [name for name in the_course().names() if name in found]
    if not names:
        raise ClassError(messages.NOTHING_AT_ALL.format(course=grader.course))
    if students and len(names) > 1:
        there = {name: students_of(grader.course, name) for name in names}
        _chosen(sorted({student for some in there.values() for student in some}), students)
        mine = {name: [s for s in some if s in students] for name, some in there.items()}
        return [open_assignment(grader, name, some) for name, some in mine.items() if some]
    return [open_assignment(grader, name, students) for name in names]
